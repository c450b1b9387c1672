// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.replica;

import java.nio.ByteBuffer;

/**
 * The header that precedes everything on a link; little-endian.
 *
 * <pre>
 * offset  size  what
 *      0     4  length of the payload that follows, 0 unless DATA or BYE
 *      4     1  kind
 *      5     1  zero
 *      6     2  lane
 *      8     8  position, capacity or zero, as the kind says
 * </pre>
 */
public final class Segment {

  /** The size of the header. */
  public static final int HEADER_BYTES = 16;

  /** The sender has a lane; the value is its capacity. */
  public static final int OPEN_LANE = 1;

  /** The answer: send from this position on. */
  public static final int RESUME = 2;

  /** Bytes of the lane from this position on. */
  public static final int DATA = 3;

  /** Everything below this position is consumed. */
  public static final int CONSUMED = 4;

  /** The lane ends at this position, all of it consumed. */
  public static final int FINISH = 5;

  /** Asks for a sign of life. */
  public static final int PING = 6;

  /** The sign of life. */
  public static final int PONG = 7;

  /** The link is taken down; the payload says why. */
  public static final int BYE = 8;

  /**
   * With {@link #PLACE_KEY}, which follows: large pieces of the lane may be written to a ring that
   * begins at this address.
   */
  public static final int PLACE_AT = 9;

  /** By this key. */
  public static final int PLACE_KEY = 10;

  /** The most a BYE says. */
  public static final int MAX_BYE_BYTES = 1024;

  private Segment() {}

  /** Puts a header. */
  public static void put(ByteBuffer out, int length, int kind, int lane, long value) {
    out.putInt(length).put((byte) kind).put((byte) 0).putShort((short) lane).putLong(value);
  }

  /** How errors call a kind. */
  public static String nameOf(int kind) {
    return switch (kind) {
      case OPEN_LANE -> "OPEN_LANE";
      case RESUME -> "RESUME";
      case DATA -> "DATA";
      case CONSUMED -> "CONSUMED";
      case FINISH -> "FINISH";
      case PING -> "PING";
      case PONG -> "PONG";
      case BYE -> "BYE";
      case PLACE_AT -> "PLACE_AT";
      case PLACE_KEY -> "PLACE_KEY";
      default -> "kind " + kind;
    };
  }
}
