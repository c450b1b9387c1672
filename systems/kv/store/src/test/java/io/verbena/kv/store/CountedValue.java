// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Keys with values that tell whose they are, which write they come from, and whether they are
 * whole.
 */
final class CountedValue {
  private static final int HEAD = 12; // key, counter

  private CountedValue() {}

  static byte[] key(int number) {
    return String.format("key-%05d", number).getBytes();
  }

  static int numberOf(byte[] key) {
    return Integer.parseInt(new String(key, 4, 5));
  }

  /** Most are about as long as 50 bytes; some have several hundred. */
  static byte[] of(int key, long counter) {
    long mixed = (key * 0x9e3779b97f4a7c15L ^ counter) * 0xbf58476d1ce4e5b9L;
    mixed ^= mixed >>> 31;
    int length = HEAD + (int) (mixed & 63);
    if ((mixed >>> 8 & 3) == 0) {
      length += 200 + (int) (mixed >>> 16 & 511);
    }
    ByteBuffer bytes = ByteBuffer.allocate(length).putInt(key).putLong(counter);
    while (bytes.hasRemaining()) {
      bytes.put((byte) (mixed + 31L * bytes.position()));
    }
    return bytes.array();
  }

  /** The counter of a value that is there, after a look at all of its bytes. */
  static long counterOf(int key, byte @Nullable [] value) {
    assertThat(value).as("value of key %d", key).isNotNull();
    assertThat(value.length).as("length of a value of key %d", key).isGreaterThanOrEqualTo(HEAD);
    long counter = ByteBuffer.wrap(value).getLong(4);
    assertThat(value).as("value %d of key %d", counter, key).isEqualTo(of(key, counter));
    return counter;
  }
}
