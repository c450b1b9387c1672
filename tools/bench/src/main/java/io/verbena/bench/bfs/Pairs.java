// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The messages of a search: two vertices in 16 bytes, written and read in place. */
final class Pairs {

  /** Their number among the types of messages. */
  static final int TYPE = 1;

  /** Their length. */
  static final int BYTES = 16;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final long PLACE_FACTOR = 0x9E37_79B9_7F4A_7C15L;
  private static final long TARGET_FACTOR = 0xC2B2_AE3D_27D4_EB4FL;
  private static final long OTHER_FACTOR = 0x1656_67B1_9E37_79F9L;

  private Pairs() {}

  static void write(MemorySegment segment, long offset, int target, int other) {
    segment.set(LONG, offset, target);
    segment.set(LONG, offset + Long.BYTES, other);
  }

  static long target(MemorySegment segment, long offset) {
    return segment.get(LONG, offset);
  }

  static long other(MemorySegment segment, long offset) {
    return segment.get(LONG, offset + Long.BYTES);
  }

  /**
   * What a pair adds to the checksum of its lane: another number if either vertex differs, or the
   * place in the lane. It is no linear function of them, or two pairs that had exchanged a vertex
   * would add the same as before; the mixing is that of splitmix64 (Steele, Lea, Flood 2014).
   *
   * @param place how many pairs went before it on its lane
   */
  static long digest(long place, long target, long other) {
    long mixed = place * PLACE_FACTOR + target * TARGET_FACTOR + other * OTHER_FACTOR;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58_476D_1CE4_E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
    return mixed ^ mixed >>> 31;
  }
}
