// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A datatype as the standard defines it: a list of what lies where, nothing joined, bounds looked
 * for among all of it. Beside it the datatype that is tested.
 *
 * @param entries what lies where, in order
 * @param type made by the same calls
 */
record TypeModel(List<Entry> entries, Datatype type) {

  /** What lies there. */
  enum Kind {
    ELEMENT,
    LOWER,
    UPPER
  }

  record Entry(Kind kind, long place) {}

  static TypeModel of(Datatype basic) {
    return new TypeModel(List.of(new Entry(Kind.ELEMENT, 0)), basic);
  }

  // ---------------------------------------------------------------- bounds

  private long[] places(Kind kind) {
    return entries.stream().filter(e -> e.kind == kind).mapToLong(Entry::place).toArray();
  }

  private static long least(long otherwise, long... places) {
    return java.util.Arrays.stream(places).min().orElse(otherwise);
  }

  private static long most(long otherwise, long... places) {
    return java.util.Arrays.stream(places).max().orElse(otherwise);
  }

  long lb() {
    return least(least(0, places(Kind.ELEMENT)), places(Kind.LOWER));
  }

  long ub() {
    return most(most(-1, places(Kind.ELEMENT)) + 1, places(Kind.UPPER));
  }

  long extent() {
    return ub() - lb();
  }

  long size() {
    return places(Kind.ELEMENT).length;
  }

  /** Where the elements are that {@code count} of them take, from {@code offset} on. */
  List<Long> elements(int offset, int count) {
    List<Long> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      for (long place : places(Kind.ELEMENT)) {
        all.add(offset + i * extent() + place);
      }
    }
    return all;
  }

  // ---------------------------------------------------------------- random ones

  private static final class Entries extends ArrayList<Entry> {
    void add(TypeModel type, long place, int count) {
      for (int i = 0; i < count; i++) {
        long at = place + i * type.extent();
        type.entries.forEach(e -> add(new Entry(e.kind, e.place + at)));
      }
    }
  }

  static TypeModel random(Random random, Datatype basic, int depth) {
    if (depth == 0) {
      return of(basic);
    }
    TypeModel old = random(random, basic, depth - 1);
    return switch (random.nextInt(6)) {
      case 0 -> contiguous(random.nextInt(4), old);
      case 1 -> vector(random, old, false);
      case 2 -> vector(random, old, true);
      case 3 -> indexed(random, old, false);
      case 4 -> indexed(random, old, true);
      default -> structure(random, old, random(random, basic, depth - 1));
    };
  }

  private static TypeModel contiguous(int count, TypeModel old) {
    Entries entries = new Entries();
    entries.add(old, 0, count);
    return new TypeModel(entries, Datatype.Contiguous(count, old.type));
  }

  private static TypeModel vector(Random random, TypeModel old, boolean isByElements) {
    int count = random.nextInt(5);
    int length = random.nextInt(4);
    int stride = random.nextInt(9) - 2;
    Entries entries = new Entries();
    for (int i = 0; i < count; i++) {
      entries.add(old, (long) i * stride * (isByElements ? 1 : old.extent()), length);
    }
    return new TypeModel(
        entries,
        isByElements
            ? Datatype.Hvector(count, length, stride, old.type)
            : Datatype.Vector(count, length, stride, old.type));
  }

  private static int[] numbers(Random random, int count, int least, int most) {
    return random.ints(count, least, most + 1).toArray();
  }

  private static TypeModel indexed(Random random, TypeModel old, boolean isByElements) {
    int[] lengths = numbers(random, random.nextInt(5), 0, 3);
    int[] places = numbers(random, lengths.length, -3, 9);
    Entries entries = new Entries();
    for (int i = 0; i < lengths.length; i++) {
      entries.add(old, places[i] * (isByElements ? 1 : old.extent()), lengths[i]);
    }
    return new TypeModel(
        entries,
        isByElements
            ? Datatype.Hindexed(lengths, places, old.type)
            : Datatype.Indexed(lengths, places, old.type));
  }

  /** One of two types, and perhaps of marks; never of marks alone. */
  private static TypeModel structure(Random random, TypeModel one, TypeModel other) {
    TypeModel lower = new TypeModel(List.of(new Entry(Kind.LOWER, 0)), MPI.LB);
    TypeModel upper = new TypeModel(List.of(new Entry(Kind.UPPER, 0)), MPI.UB);
    List<TypeModel> blocks = new ArrayList<>(List.of(one, other));
    if (one.size() + other.size() > 0 && random.nextBoolean()) {
      blocks.add(random.nextInt(3), random.nextBoolean() ? lower : upper);
    }
    int[] lengths = numbers(random, blocks.size(), 1, 2);
    int[] places = numbers(random, blocks.size(), -4, 12);
    Entries entries = new Entries();
    for (int i = 0; i < lengths.length; i++) {
      entries.add(blocks.get(i), places[i], lengths[i]);
    }
    Datatype[] types = blocks.stream().map(TypeModel::type).toArray(Datatype[]::new);
    return new TypeModel(entries, Datatype.Struct(lengths, places, types));
  }
}
