// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Memory of the program as what a message is gathered from or scattered to: arrays of numbers and
 * sections of them, in the machine's byte order and without a copy between, and segments. Strided
 * data are a {@link Layout} of the program's own.
 */
public final class Data {

  private Data() {}

  /** No bytes. */
  public static Layout empty() {
    return Layout.empty();
  }

  /** A segment, on the heap or off it. */
  public static Layout of(MemorySegment memory) {
    return Layout.of(memory);
  }

  /** An array. */
  public static Layout of(byte... array) {
    return Layout.of(MemorySegment.ofArray(array));
  }

  /** An array. */
  public static Layout of(char... array) {
    return Layout.of(MemorySegment.ofArray(array));
  }

  /** An array. */
  public static Layout of(short... array) {
    return Layout.of(MemorySegment.ofArray(array));
  }

  /** An array. */
  public static Layout of(int... array) {
    return Layout.of(MemorySegment.ofArray(array));
  }

  /** An array. */
  public static Layout of(long... array) {
    return Layout.of(MemorySegment.ofArray(array));
  }

  /** An array. */
  public static Layout of(float... array) {
    return Layout.of(MemorySegment.ofArray(array));
  }

  /** An array. */
  public static Layout of(double... array) {
    return Layout.of(MemorySegment.ofArray(array));
  }

  /** {@code count} elements of an array, from {@code offset} on. */
  public static Layout section(byte[] array, int offset, int count) {
    return section(MemorySegment.ofArray(array), offset, count, ValueLayout.JAVA_BYTE);
  }

  /** {@code count} elements of an array, from {@code offset} on. */
  public static Layout section(char[] array, int offset, int count) {
    return section(MemorySegment.ofArray(array), offset, count, ValueLayout.JAVA_CHAR);
  }

  /** {@code count} elements of an array, from {@code offset} on. */
  public static Layout section(short[] array, int offset, int count) {
    return section(MemorySegment.ofArray(array), offset, count, ValueLayout.JAVA_SHORT);
  }

  /** {@code count} elements of an array, from {@code offset} on. */
  public static Layout section(int[] array, int offset, int count) {
    return section(MemorySegment.ofArray(array), offset, count, ValueLayout.JAVA_INT);
  }

  /** {@code count} elements of an array, from {@code offset} on. */
  public static Layout section(long[] array, int offset, int count) {
    return section(MemorySegment.ofArray(array), offset, count, ValueLayout.JAVA_LONG);
  }

  /** {@code count} elements of an array, from {@code offset} on. */
  public static Layout section(float[] array, int offset, int count) {
    return section(MemorySegment.ofArray(array), offset, count, ValueLayout.JAVA_FLOAT);
  }

  /** {@code count} elements of an array, from {@code offset} on. */
  public static Layout section(double[] array, int offset, int count) {
    return section(MemorySegment.ofArray(array), offset, count, ValueLayout.JAVA_DOUBLE);
  }

  private static Layout section(MemorySegment array, int offset, int count, ValueLayout element) {
    long bytes = element.byteSize();
    return Layout.of(array.asSlice(offset * bytes, count * bytes));
  }
}
