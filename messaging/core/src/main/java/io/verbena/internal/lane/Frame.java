// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.lane;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The layout of a frame, the unit that a lane carries.
 *
 * <pre>
 * bits of the header   meaning
 *   0..31              the frame's length in bytes, header included; the next frame is 8-aligned
 *  32..47              message type
 *  48..55              kind
 *  56..63              flags
 * </pre>
 *
 * <p>docs/protocol.md describes it in the section "Frames".
 */
public final class Frame {

  /** The size of a header in bytes. */
  public static final int HEADER_BYTES = 8;

  /** The size of a correlation id in bytes; follows the header of requests and answers. */
  public static final int CORRELATION_BYTES = 8;

  /** The size of what precedes the data in a first fragment: total length, inner header, id. */
  public static final int FRAGMENT_PREFIX_BYTES = 16;

  /** Padding up to the end of a lap; carries nothing. */
  public static final int PAD = 1;

  /** A one-way message: body. */
  public static final int MESSAGE = 2;

  /** A request: correlation id, body. */
  public static final int REQUEST = 3;

  /** An answer: correlation id, body. */
  public static final int REPLY = 4;

  /** An error in place of an answer: correlation id, UTF-8 text. */
  public static final int ERROR = 5;

  /** A piece of a message too large for one frame. */
  public static final int FRAGMENT = 6;

  /** A message between the two connections; the type says which one. */
  public static final int CONTROL = 7;

  /**
   * The last frame of a lane whose messages go on in another one. The type is the id of that lane;
   * the frame carries nothing else.
   */
  public static final int MOVED = 8;

  /** The first fragment of a message. */
  public static final int FIRST = 1;

  /** The last fragment of a message. */
  public static final int LAST = 2;

  /** A fragment queued by a handler: reassembled apart from those that threads write. */
  public static final int QUEUED = 4;

  private static final VarHandle LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

  private static final ValueLayout.OfLong UNALIGNED =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Frame() {}

  /** Packs a header. */
  public static long header(int lengthBytes, int typeId, int kind, int flags) {
    return lengthBytes & 0xFFFF_FFFFL
        | (typeId & 0xFFFFL) << 32
        | (kind & 0xFFL) << 48
        | (long) flags << 56;
  }

  /** The frame's length; negative if the field holds more than a Java array could. */
  public static int length(long header) {
    return (int) header;
  }

  /** The message type. */
  public static int typeId(long header) {
    return (int) (header >>> 32) & 0xFFFF;
  }

  /** The kind. */
  public static int kind(long header) {
    return (int) (header >>> 48) & 0xFF;
  }

  /** The flags. */
  public static int flags(long header) {
    return (int) (header >>> 56);
  }

  /** Whether frames of this kind start with a correlation id. */
  public static boolean hasCorrelation(int kind) {
    return kind == REQUEST || kind == REPLY || kind == ERROR;
  }

  /** The bytes between the header and the body. */
  public static int prefixBytes(int kind) {
    return hasCorrelation(kind) ? CORRELATION_BYTES : 0;
  }

  /** Rounds a length up to the multiple of 8 at which the next frame starts. */
  public static int align(int lengthBytes) {
    return (lengthBytes + 7) & ~7;
  }

  /** Writes a 64-bit word at an 8-aligned offset. */
  public static void putLong(MemorySegment segment, long offset, long value) {
    LONG.set(segment, offset, value);
  }

  /** Reads a 64-bit word at an 8-aligned offset. */
  public static long getLong(MemorySegment segment, long offset) {
    return (long) LONG.get(segment, offset);
  }

  /** Writes a 64-bit word anywhere. */
  public static void putLongUnaligned(MemorySegment segment, long offset, long value) {
    segment.set(UNALIGNED, offset, value);
  }

  /** Reads a 64-bit word anywhere. */
  public static long getLongUnaligned(MemorySegment segment, long offset) {
    return segment.get(UNALIGNED, offset);
  }

  /** Publishes a header: a thread that reads it sees everything written to the frame before. */
  static void publish(MemorySegment segment, long offset, long header) {
    LONG.setRelease(segment, offset, header); // pairs with acquire and LaneMemory.header
  }

  /** Reads a header; if it is not 0 this thread sees the frame's bytes. */
  static long acquire(MemorySegment segment, long offset) {
    return (long) LONG.getAcquire(segment, offset); // pairs with publish
  }
}
