// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.collective.Reduction;
import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.Objects;

/**
 * An operation on packed elements of a datatype. Predefined ones work on them as they are, and so
 * do a program's own, if the datatype has no gaps; else these get arrays laid out as it says.
 */
record OpReduction(Op op, Datatype type) implements Reduction {

  @Override
  public boolean isCommutative() {
    return op.commutes();
  }

  @Override
  public int elementBytes() {
    return Math.max(type.getByteSize(), 1);
  }

  /** A heap array; of bytes for truth values, of which no segment can be made. */
  @Override
  public MemorySegment allocate(long bytes) {
    int length = Math.toIntExact(bytes / type.base.bytes);
    return switch (type.base) {
      case BYTE, PACKED, BOOLEAN -> MemorySegment.ofArray(new byte[length]);
      case CHAR -> MemorySegment.ofArray(new char[length]);
      case SHORT -> MemorySegment.ofArray(new short[length]);
      case INT -> MemorySegment.ofArray(new int[length]);
      case LONG -> MemorySegment.ofArray(new long[length]);
      case FLOAT -> MemorySegment.ofArray(new float[length]);
      case DOUBLE -> MemorySegment.ofArray(new double[length]);
      case OBJECT, NONE, NULL -> throw new IllegalStateException("no array of " + type.base);
    };
  }

  @Override
  public void apply(MemorySegment in, MemorySegment inout, long elements) {
    int count = Math.toIntExact(elements);
    boolean isAsItIs = type.map.isDense() && type.map.lowest() == 0 && type.base != Base.BOOLEAN;
    if (op.isPredefined() || isAsItIs) {
      op.apply(array(in), place(in), array(inout), place(inout), count, type);
    } else {
      applyUnpacked(in, inout, count);
    }
  }

  private static Object array(MemorySegment allocated) {
    return allocated.heapBase().orElseThrow();
  }

  private int place(MemorySegment allocated) {
    return (int) (allocated.address() / type.base.bytes); // of a heap segment that in its array
  }

  private void applyUnpacked(MemorySegment in, MemorySegment inout, int count) {
    TypeMap map = type.map;
    long last = (count - 1L) * map.extent();
    int before = Math.toIntExact(-Math.min(0, Math.min(0, last) + map.lowest()));
    int length = Math.toIntExact(before + Math.max(0, last) + map.highest());
    Class<?> component = Objects.requireNonNull(type.base.component);
    Object a = Array.newInstance(component, length);
    Object b = Array.newInstance(component, length);
    Layout first = type.layout(a, before, count, true);
    Layout second = type.layout(b, before, count, true);
    first.scatter(0, first.bytes(), in, 0);
    second.scatter(0, second.bytes(), inout, 0);
    op.apply(a, before, b, before, count, type);
    second.gather(0, second.bytes(), inout, 0);
  }
}
