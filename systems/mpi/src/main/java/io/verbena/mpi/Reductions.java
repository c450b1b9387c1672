// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbena.mpi.collective.Reduction;
import java.lang.foreign.MemorySegment;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * Reductions of arrays of numbers, element by element: {@code Reductions.longs(Long::sum)}. The
 * operator has to be associative and to commute; sums of floating-point numbers may differ in the
 * last digits from one number of ranks to another. Others are a {@link Reduction} of the program's
 * own.
 */
public final class Reductions {

  private Reductions() {}

  /** Of {@code int}s. */
  public static Reduction ints(IntBinaryOperator operator) {
    return new Ints(operator);
  }

  /** Of {@code long}s. */
  public static Reduction longs(LongBinaryOperator operator) {
    return new Longs(operator);
  }

  /** Of {@code double}s. */
  public static Reduction doubles(DoubleBinaryOperator operator) {
    return new Doubles(operator);
  }

  private static int elements(long bytes, int elementBytes) {
    return Math.toIntExact(Math.ceilDiv(bytes, elementBytes));
  }

  private record Ints(IntBinaryOperator operator) implements Reduction {
    @Override
    public boolean isCommutative() {
      return true;
    }

    @Override
    public int elementBytes() {
      return Integer.BYTES;
    }

    @Override
    public MemorySegment allocate(long bytes) {
      return MemorySegment.ofArray(new int[elements(bytes, Integer.BYTES)]);
    }

    @Override
    public void apply(MemorySegment in, MemorySegment inout, long elements) {
      for (long i = 0; i < elements; i++) {
        int one = in.getAtIndex(JAVA_INT, i);
        inout.setAtIndex(JAVA_INT, i, operator.applyAsInt(one, inout.getAtIndex(JAVA_INT, i)));
      }
    }
  }

  private record Longs(LongBinaryOperator operator) implements Reduction {
    @Override
    public boolean isCommutative() {
      return true;
    }

    @Override
    public int elementBytes() {
      return Long.BYTES;
    }

    @Override
    public MemorySegment allocate(long bytes) {
      return MemorySegment.ofArray(new long[elements(bytes, Long.BYTES)]);
    }

    @Override
    public void apply(MemorySegment in, MemorySegment inout, long elements) {
      for (long i = 0; i < elements; i++) {
        long one = in.getAtIndex(JAVA_LONG, i);
        inout.setAtIndex(JAVA_LONG, i, operator.applyAsLong(one, inout.getAtIndex(JAVA_LONG, i)));
      }
    }
  }

  private record Doubles(DoubleBinaryOperator operator) implements Reduction {
    @Override
    public boolean isCommutative() {
      return true;
    }

    @Override
    public int elementBytes() {
      return Double.BYTES;
    }

    @Override
    public MemorySegment allocate(long bytes) {
      return MemorySegment.ofArray(new double[elements(bytes, Double.BYTES)]);
    }

    @Override
    public void apply(MemorySegment in, MemorySegment inout, long elements) {
      for (long i = 0; i < elements; i++) {
        double one = in.getAtIndex(JAVA_DOUBLE, i);
        double both = operator.applyAsDouble(one, inout.getAtIndex(JAVA_DOUBLE, i));
        inout.setAtIndex(JAVA_DOUBLE, i, both);
      }
    }
  }
}
