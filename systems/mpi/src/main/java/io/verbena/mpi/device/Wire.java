// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * What ranks write to each other: messages of one view type, each of one role. Little-endian. The
 * source is nowhere: it is the node that the message comes from.
 *
 * <pre>
 * all        0 role (1), 1 flags (1), 4 credit that goes back (4, bytes)
 * HEAD       8 context (4), 12 tag (4); then, as its flags say, the sender's number (8), the
 *            bytes of the message (8), a note (16); then the message itself if that is whole
 * PIECE      8 receiver's number (8), 16 where it goes (8); then its bytes
 * GO         8 sender's number (8), 16 receiver's number (8), 24 bytes wanted (8); then, if all of
 *            them may be written there, the key of a region (36)
 * PLACED     8 receiver's number (8)
 * ALLOWANCE  8 more heads that may be under way (4)
 * ABANDONED  8 receiver's number (8)
 * STALLED, BYE
 * </pre>
 */
final class Wire {

  static final byte HEAD = 1;

  /** A piece of a message that was told to go. */
  static final byte PIECE = 2;

  /** A head is matched: its bytes are wanted, or, of a whole message, its sender is told. */
  static final byte GO = 3;

  /** More may be sent. */
  static final byte ALLOWANCE = 4;

  /** The sender has heads that it may not send yet. */
  static final byte STALLED = 5;

  /** The sender cannot read its own memory: no more pieces come. */
  static final byte ABANDONED = 7;

  /** Nothing comes any more: the rank ends as it should. */
  static final byte BYE = 6;

  /** The sender has written the bytes where they are wanted. */
  static final byte PLACED = 8;

  /** The message itself follows its head, to the end of what came; else its length is given. */
  static final byte WHOLE = 1;

  /** A note follows. */
  static final byte NOTED = 2;

  /** The sender's number is given: it is to be told of the receive. */
  static final byte NUMBERED = 4;

  static final int COMMON_BYTES = 8;
  static final int HEAD_BYTES = 16;
  static final int MOST_HEAD_BYTES = 48;
  static final int PIECE_BYTES = 24;
  static final int GO_BYTES = 32;
  static final int ALLOWANCE_BYTES = 16;
  static final int ABANDONED_BYTES = 16;
  static final int PLACED_BYTES = 16;

  /** What an unexpected message is charged beside its bytes: its objects at the receiver. */
  static final int CHARGE_BYTES = 128;

  /** Heads without their bytes that may wait at a receiver; and how many more it grants at once. */
  static final int HEADS = 256;

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Wire() {}

  /** How long a head with these flags is. */
  static int headBytes(int flags) {
    return HEAD_BYTES
        + ((flags & NUMBERED) != 0 ? 8 : 0)
        + ((flags & WHOLE) == 0 ? 8 : 0)
        + ((flags & NOTED) != 0 ? 16 : 0);
  }

  static void putCommon(MemorySegment to, long at, byte role, byte flags, int credit) {
    putInt(to, at, (role & 0xff) | (flags & 0xff) << 8);
    putInt(to, at + 4, credit);
  }

  static byte role(MemorySegment from, long at) {
    return from.get(ValueLayout.JAVA_BYTE, at);
  }

  static byte flags(MemorySegment from, long at) {
    return from.get(ValueLayout.JAVA_BYTE, at + 1);
  }

  static int credit(MemorySegment from, long at) {
    return getInt(from, at + 4);
  }

  static void putInt(MemorySegment to, long at, int value) {
    to.set(INT, at, value);
  }

  static int getInt(MemorySegment from, long at) {
    return from.get(INT, at);
  }

  static void putLong(MemorySegment to, long at, long value) {
    to.set(LONG, at, value);
  }

  static long getLong(MemorySegment from, long at) {
    return from.get(LONG, at);
  }
}
