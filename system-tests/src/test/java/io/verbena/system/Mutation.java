// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Ways to spoil bytes; the same seed spoils them the same way. */
final class Mutation {

  private static final long[] EXTREMES = {
    0,
    1,
    7,
    8,
    9,
    0x7F,
    0x80,
    0xFF,
    0x7FFF,
    0xFFFF,
    0x7FFF_FFFFL,
    0x8000_0000L,
    0xFFFF_FFFFL,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    -1,
    -8
  };

  private final SplittableRandom random;

  Mutation(SplittableRandom random) {
    this.random = random;
  }

  /** A spoiled copy, never equal in length and content by intent, though it may be by chance. */
  byte[] of(byte[] original) {
    byte[] bytes = original.clone();
    int times = 1 + random.nextInt(3);
    for (int i = 0; i < times && bytes.length > 0; i++) {
      bytes = once(bytes);
    }
    return bytes;
  }

  private byte[] once(byte[] bytes) {
    int at = random.nextInt(bytes.length);
    return switch (random.nextInt(7)) {
      case 0 -> flipped(bytes, at);
      case 1 -> Arrays.copyOf(bytes, at); // cut
      case 2 -> Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(64)); // zeros behind
      case 3 -> repeated(bytes, at);
      case 4 -> without(bytes, at);
      case 5 -> extreme(bytes, at);
      default -> rubbish(bytes, at);
    };
  }

  private byte[] flipped(byte[] bytes, int at) {
    bytes[at] ^= (byte) (1 << random.nextInt(8));
    return bytes;
  }

  private byte[] repeated(byte[] bytes, int at) {
    byte[] longer = Arrays.copyOf(bytes, bytes.length + bytes.length - at);
    System.arraycopy(bytes, at, longer, bytes.length, bytes.length - at);
    return longer;
  }

  private byte[] without(byte[] bytes, int at) {
    int count = Math.min(bytes.length - at, 1 + random.nextInt(8));
    byte[] shorter = Arrays.copyOf(bytes, bytes.length - count);
    System.arraycopy(bytes, at + count, shorter, at, bytes.length - at - count);
    return shorter;
  }

  private byte[] extreme(byte[] bytes, int at) {
    int width = 1 << random.nextInt(4);
    if (at + width > bytes.length) {
      return flipped(bytes, at);
    }
    ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    word.putLong(EXTREMES[random.nextInt(EXTREMES.length)]);
    System.arraycopy(word.array(), 0, bytes, at, width);
    return bytes;
  }

  private byte[] rubbish(byte[] bytes, int at) {
    int end = Math.min(bytes.length, at + 1 + random.nextInt(16));
    for (int i = at; i < end; i++) {
      bytes[i] = (byte) random.nextInt();
    }
    return bytes;
  }
}
