// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.util.List;
import java.util.Random;

/**
 * How small numbers lie in an array: one behind the other, every second, or two of every three.
 *
 * @param type as a datatype
 * @param of how many elements of three it has, or of two, or 1 of 1
 * @param extent of these
 */
record Laid(Datatype type, int of, int extent) {

  static final List<Datatype> NUMBERS =
      List.of(MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.INT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE);

  /** What is written nowhere. */
  private static final int UNTOUCHED = 127;

  static Laid random(Random random, Datatype basic) {
    return switch (random.nextInt(3)) {
      case 0 -> new Laid(basic, 1, 1);
      case 1 -> withGap(basic, 1, 2);
      default -> withGap(basic, 2, 3);
    };
  }

  /** The same for as many elements. */
  static Laid random(Random random, Datatype basic, int elements) {
    Laid laid = random(random, basic);
    return elements % laid.of == 0 ? laid : new Laid(basic, 1, 1);
  }

  private static Laid withGap(Datatype basic, int of, int extent) {
    int[] lengths = {of, 1};
    Datatype[] types = {basic, MPI.UB};
    Datatype type = Datatype.Struct(lengths, new int[] {0, extent}, types);
    type.Commit();
    return new Laid(type, of, extent);
  }

  /** How many of the type have room for elements. */
  int count(int elements) {
    return (elements + of - 1) / of;
  }

  int place(int offset, int element) {
    return offset + element / of * extent + element % of;
  }

  /** An array that nobody has touched yet. */
  Object array(int length) {
    Class<?> component = type.base.component;
    Object array = Array.newInstance(component == null ? Object.class : component, length);
    for (int i = 0; i < length; i++) {
      put(array, i, UNTOUCHED);
    }
    return array;
  }

  Object arrayFor(int offset, int elements) {
    return array(offset + count(elements) * extent + 2);
  }

  static void put(Object array, int at, int value) {
    switch (array) {
      case byte[] bytes -> bytes[at] = (byte) value;
      case char[] chars -> chars[at] = (char) value;
      case short[] shorts -> shorts[at] = (short) value;
      case int[] ints -> ints[at] = value;
      case long[] longs -> longs[at] = value;
      case float[] floats -> floats[at] = value;
      case double[] doubles -> doubles[at] = value;
      case Object[] objects -> objects[at] = value;
      default -> throw new AssertionError(array);
    }
  }

  static int get(Object array, int at) {
    Object value = Array.get(array, at);
    return value instanceof Character c ? c : ((Number) value).intValue();
  }

  /** What a number becomes in such an array. */
  int narrowed(int value) {
    Object one = array(1);
    put(one, 0, value);
    return get(one, 0);
  }

  /** An element of which somebody knows where it is to be. */
  interface Value {
    int at(int element);
  }

  void fill(Object array, int offset, int elements, Value value) {
    for (int i = 0; i < elements; i++) {
      put(array, place(offset, i), value.at(i));
    }
  }

  /** Whether an array has these and else nothing. */
  static void check(Object got, Object expected, String what) {
    int length = Array.getLength(expected);
    for (int i = 0; i < length; i++) {
      if (get(got, i) != get(expected, i)) {
        assertThat(got).as("%s, element %d", what, i).isEqualTo(expected);
      }
    }
  }
}
