// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.programs;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import mpi.Datatype;
import mpi.MPI;

/** A type of elements: makes arrays of it, and says in a few digits what one holds. */
record Elements(String name, Datatype datatype, Class<?> component) {

  static List<Elements> all() {
    return List.of(
        new Elements("byte", MPI.BYTE, byte.class),
        new Elements("char", MPI.CHAR, char.class),
        new Elements("short", MPI.SHORT, short.class),
        new Elements("boolean", MPI.BOOLEAN, boolean.class),
        new Elements("int", MPI.INT, int.class),
        new Elements("long", MPI.LONG, long.class),
        new Elements("float", MPI.FLOAT, float.class),
        new Elements("double", MPI.DOUBLE, double.class));
  }

  Object room(int count) {
    return Array.newInstance(component, count);
  }

  /** Elements that differ by place and seed. */
  Object filled(int count, int seed) {
    Object array = room(count);
    for (int i = 0; i < count; i++) {
      set(array, i, (seed * 31 + i * 7) % 101);
    }
    return array;
  }

  private void set(Object array, int at, int value) {
    switch (array) {
      case byte[] bytes -> bytes[at] = (byte) value;
      case char[] chars -> chars[at] = (char) value;
      case short[] shorts -> shorts[at] = (short) value;
      case boolean[] booleans -> booleans[at] = value % 2 == 1;
      case int[] ints -> ints[at] = value * 1_000_003;
      case long[] longs -> longs[at] = value * 1_000_000_007_000L;
      case float[] floats -> floats[at] = value / 4f;
      case double[] doubles -> doubles[at] = value / 8.0;
      default -> throw new IllegalArgumentException(array.getClass().getName());
    }
  }

  /** What an array holds: all of it if it is short. */
  static String digest(Object array) {
    String text =
        switch (array) {
          case byte[] bytes -> Arrays.toString(bytes);
          case char[] chars -> Arrays.toString(codes(chars));
          case short[] shorts -> Arrays.toString(shorts);
          case boolean[] booleans -> Arrays.toString(booleans);
          case int[] ints -> Arrays.toString(ints);
          case long[] longs -> Arrays.toString(longs);
          case float[] floats -> Arrays.toString(floats);
          case double[] doubles -> Arrays.toString(doubles);
          case Object[] objects -> Arrays.deepToString(objects);
          default -> throw new IllegalArgumentException(array.getClass().getName());
        };
    return text.length() < 200
        ? text
        : "%d elements %08x".formatted(Array.getLength(array), text.hashCode());
  }

  private static int[] codes(char[] chars) {
    int[] codes = new int[chars.length];
    Arrays.setAll(codes, i -> chars[i]);
    return codes;
  }
}
