// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The records of a mix: key, length and content follow from a record's number, so that whoever
 * reads one can tell whether it is right. Keys are not in the order of numbers. For one thread,
 * whose arrays are used again.
 */
final class Records {
  static final int KEY_BYTES = 24;

  private static final byte[] CONTENT = new byte[1 << 16];
  private static final int DIGITS = 20;
  private static final int LONGEST = 1024;

  static {
    new SplittableRandom(1).nextBytes(CONTENT);
  }

  private final Mix mix;
  private final byte[] key = {
    'u', 's', 'e', 'r', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
  };
  private final byte[][] values = new byte[LONGEST][];

  Records(Mix mix) {
    this.mix = mix;
  }

  /** Of a number, evenly distributed; different ones for different numbers. */
  static long hash(long number) {
    long hash = number * 0x9e3779b97f4a7c15L;
    hash = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ hash >>> 27) * 0x94d049bb133111ebL;
    return hash ^ hash >>> 31;
  }

  /** Its key: {@code user} and 20 digits. */
  byte[] key(long record) {
    long rest = hash(record);
    for (int i = KEY_BYTES - 1; i >= KEY_BYTES - DIGITS; i--) {
      key[i] = (byte) ('0' + Long.remainderUnsigned(rest, 10));
      rest = Long.divideUnsigned(rest, 10);
    }
    return key;
  }

  private int valueBytes(long hash) {
    return mix.recordBytes(hash >>> 8) - KEY_BYTES;
  }

  byte[] value(long record) {
    long hash = hash(record);
    int length = valueBytes(hash);
    if (values[length] == null) {
      values[length] = new byte[length];
    }
    System.arraycopy(CONTENT, contentOf(hash), values[length], 0, length);
    return values[length];
  }

  private static int contentOf(long hash) {
    return (int) (hash >>> 24) & (CONTENT.length - 1 - LONGEST);
  }

  /** Whether a value is that of a record. */
  boolean isValue(long record, byte[] value) {
    return isValueOf(hash(record), value);
  }

  /** Whether a value is that of the record with a key. */
  boolean isValue(byte[] key, byte[] value) {
    long hash = 0;
    for (int i = KEY_BYTES - DIGITS; i < KEY_BYTES; i++) {
      hash = 10 * hash + key[i] - '0';
    }
    return key.length == KEY_BYTES && isValueOf(hash, value);
  }

  private boolean isValueOf(long hash, byte[] value) {
    int at = contentOf(hash);
    int length = valueBytes(hash);
    return value.length == length && Arrays.equals(value, 0, length, CONTENT, at, at + length);
  }
}
