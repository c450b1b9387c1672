// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import java.util.Arrays;

/** The memory of messages: an array of doubles, or of bytes where no doubles fit. */
final class Content {

  private final double[] doubles;
  private final byte[] bytes;

  private Content(double[] doubles, byte[] bytes) {
    this.doubles = doubles;
    this.bytes = bytes;
  }

  /** So many bytes. */
  static Content ofBytes(int size) {
    return size >= Double.BYTES && size % Double.BYTES == 0
        ? new Content(new double[size / Double.BYTES], new byte[0])
        : new Content(new double[0], new byte[size]);
  }

  /** Whether it is an array of doubles. */
  boolean isDoubles() {
    return doubles.length > 0;
  }

  /** The array itself. */
  Object array() {
    return isDoubles() ? doubles : bytes;
  }

  /** The doubles, none if it is bytes. */
  double[] doubles() {
    return doubles;
  }

  /** How many elements it has. */
  int count() {
    return isDoubles() ? doubles.length : bytes.length;
  }

  /** Fills it such that each element of an even and of an odd one differ. */
  Content filled(boolean isOdd) {
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] = isOdd ? -1.0 - i : 1.0 + i;
    }
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (isOdd ? ~i : i);
    }
    return this;
  }

  /** Begins it with a number. */
  void stamp(int number) {
    if (isDoubles()) {
      doubles[0] = number;
    }
    for (int i = 0; i < Math.min(bytes.length, Integer.BYTES); i++) {
      bytes[i] = (byte) (number >>> (i * Byte.SIZE));
    }
  }

  /**
   * Compares it with what it is to be.
   *
   * @throws IllegalStateException if an element differs
   */
  void check(Content wanted) {
    int doubleAt = Arrays.mismatch(doubles, wanted.doubles);
    int byteAt = Arrays.mismatch(bytes, wanted.bytes);
    if (doubleAt >= 0) {
      throw wrong(doubleAt, doubles[doubleAt], wanted.doubles[doubleAt]);
    }
    if (byteAt >= 0) {
      throw wrong(byteAt, bytes[byteAt], wanted.bytes[byteAt]);
    }
  }

  /** What is said of a wrong element. */
  static IllegalStateException wrong(int at, Object is, Object wanted) {
    return new IllegalStateException("element " + at + " is " + is + " instead of " + wanted);
  }
}
