// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;
import java.util.Random;

/** One call of all members of a communicator, with sections, gaps, counts and places. */
final class RandomCollective {

  private final Intracomm comm;
  private final int rank;
  private final int size;
  private final int root;
  private final int salt;
  private final int[] counts; // of each member's part, in datatypes
  private final int offset;
  private final int offset2;
  private final boolean isEqual; // all parts have as many elements
  private final Laid from;
  private final Laid into;
  private final Random drawn; // the same at all members

  RandomCollective(Intracomm comm, Random drawn) {
    this.comm = comm;
    this.rank = comm.Rank();
    this.size = comm.Size();
    this.root = drawn.nextInt(size);
    this.salt = drawn.nextInt(50);
    this.offset = drawn.nextInt(3);
    this.offset2 = drawn.nextInt(3);
    this.isEqual = drawn.nextBoolean();
    int most = drawn.nextInt(8) == 0 ? 6000 : 6;
    int equal = drawn.nextInt(most);
    // Even numbers of elements fit whatever both sides look like.
    this.counts = drawn.ints(size, 0, most).map(n -> 2 * (isEqual ? equal : n)).toArray();
    Datatype basic =
        drawn.nextInt(6) == 0 ? MPI.OBJECT : Laid.NUMBERS.get(drawn.nextInt(Laid.NUMBERS.size()));
    this.from = Laid.random(drawn, basic);
    this.into = Laid.random(drawn, basic);
    this.drawn = drawn;
  }

  void run() {
    int kind = drawn.nextInt(8);
    switch (kind) {
      case 0 -> bcast();
      case 1 -> gather();
      case 2 -> scatter();
      case 3 -> allgather();
      case 4 -> alltoall();
      default -> {
        if (from.type().isOfObjects()) {
          comm.Barrier();
        } else {
          reduce(kind);
        }
      }
    }
  }

  private int value(int member, int to, int i) {
    return (salt + 7 * member + 3 * to + i) % 100;
  }

  // ---------------------------------------------------------------- parts

  /** Where parts of a side lie, in extents: one behind the other, or backwards with gaps. */
  private int[] places(Laid laid, int[] elements) {
    int[] places = new int[size];
    int next = 0;
    for (int i = 0; i < size; i++) {
      int member = isEqual ? i : size - 1 - i;
      places[member] = next;
      next += laid.count(elements[member]) + (isEqual ? 0 : 1);
    }
    return places;
  }

  private static int[] typed(Laid laid, int[] elements) {
    return Arrays.stream(elements).map(laid::count).toArray();
  }

  private Object wide(Laid laid, int[] elements) {
    int all = Arrays.stream(elements).sum() + 2 * size;
    return laid.arrayFor(offset + 2, all + laid.of() * size);
  }

  /** What a member gives to or gets from a part. */
  private interface PartValue {
    int at(int member, int element);
  }

  private void fill(Laid laid, Object array, int at, int[] elements, PartValue value) {
    int[] places = places(laid, elements);
    for (int member = 0; member < size; member++) {
      int m = member;
      laid.fill(array, at + places[m] * laid.extent(), elements[m], i -> value.at(m, i));
    }
  }

  private void check(Object got, Object expected, String what) {
    Laid.check(got, expected, what + " of " + from + " to " + into + Arrays.toString(counts));
  }

  // ---------------------------------------------------------------- calls

  private void bcast() {
    int n = counts[0];
    Laid mine = rank == root ? from : into;
    Object data = mine.arrayFor(offset, n);
    Object expected = mine.arrayFor(offset, n);
    mine.fill(rank == root ? data : expected, offset, n, i -> value(root, 0, i));
    mine.fill(expected, offset, n, i -> value(root, 0, i));
    comm.Bcast(data, offset, mine.count(n), mine.type(), root);
    check(data, expected, "bcast");
  }

  private Object one(int n, int to) {
    Object one = from.arrayFor(offset, n);
    from.fill(one, offset, n, i -> value(rank, to, i));
    return one;
  }

  private void gather() {
    Object got = wide(into, counts);
    Object expected = wide(into, counts);
    Object mine = one(counts[rank], root);
    int n = from.count(counts[rank]);
    Datatype sent = from.type();
    int at = offset2;
    if (isEqual) {
      int each = into.count(counts[0]);
      comm.Gather(mine, offset, n, sent, got, at, each, into.type(), root);
    } else {
      int[] typed = typed(into, counts);
      int[] places = places(into, counts);
      comm.Gatherv(mine, offset, n, sent, got, at, typed, places, into.type(), root);
    }
    if (rank == root) {
      fill(into, expected, at, counts, (member, i) -> value(member, root, i));
    }
    check(got, expected, "gather");
  }

  private void scatter() {
    Object all = wide(from, counts);
    fill(from, all, offset, counts, (member, i) -> value(root, member, i));
    int n = counts[rank];
    Object got = into.arrayFor(offset2, n);
    Object expected = into.arrayFor(offset2, n);
    int room = into.count(n);
    if (isEqual) {
      int each = from.count(counts[0]);
      comm.Scatter(all, offset, each, from.type(), got, offset2, room, into.type(), root);
    } else {
      int[] typed = typed(from, counts);
      int[] places = places(from, counts);
      comm.Scatterv(all, offset, typed, places, from.type(), got, offset2, room, into.type(), root);
    }
    into.fill(expected, offset2, n, i -> value(root, rank, i));
    check(got, expected, "scatter");
  }

  private void allgather() {
    Object got = wide(into, counts);
    Object expected = wide(into, counts);
    Object mine = one(counts[rank], 0);
    int n = from.count(counts[rank]);
    int at = offset2;
    if (isEqual) {
      int each = into.count(counts[0]);
      comm.Allgather(mine, offset, n, from.type(), got, at, each, into.type());
    } else {
      int[] typed = typed(into, counts);
      int[] places = places(into, counts);
      comm.Allgatherv(mine, offset, n, from.type(), got, at, typed, places, into.type());
    }
    fill(into, expected, at, counts, (member, i) -> value(member, 0, i));
    check(got, expected, "allgather");
  }

  /** Member i sends as many elements to j as the less of their counts. */
  private void alltoall() {
    int[] both = Arrays.stream(counts).map(n -> Math.min(n, counts[rank])).toArray();
    Object sent = wide(from, both);
    fill(from, sent, offset, both, (member, i) -> value(rank, member, i));
    Object got = wide(into, both);
    Object expected = wide(into, both);
    int at = offset2;
    if (isEqual) {
      int out = from.count(counts[0]);
      int in = into.count(counts[0]);
      comm.Alltoall(sent, offset, out, from.type(), got, at, in, into.type());
    } else {
      int[] outs = typed(from, both);
      int[] ins = typed(into, both);
      comm.Alltoallv(
          sent,
          offset,
          outs,
          places(from, both),
          from.type(),
          got,
          at,
          ins,
          places(into, both),
          into.type());
    }
    fill(into, expected, at, both, (member, i) -> value(member, rank, i));
    check(got, expected, "alltoall");
  }

  // ---------------------------------------------------------------- reductions

  /** What an operation makes of all members' values. */
  private enum Way {
    SUM,
    MAX,
    LEFT,
    RIGHT
  }

  /** Keeps the first, or the last one: does not commute. */
  private static final class Kept extends User_function {
    private final boolean isFirst;

    Kept(boolean isFirst) {
      this.isFirst = isFirst;
    }

    @Override
    public void Call(Object in, int at, Object inout, int to, int count, Datatype type) {
      for (int i = 0; isFirst && i < count * type.Extent(); i += type.Extent()) {
        System.arraycopy(in, at + i, inout, to + i, type.Size());
      }
    }
  }

  private Op op(Way way) {
    return switch (way) {
      case SUM -> MPI.SUM;
      case MAX -> MPI.MAX;
      case LEFT -> new Op(new Kept(true), false);
      case RIGHT -> new Op(new Kept(false), false);
    };
  }

  private int reduced(Way way, int members, int i) {
    int result = value(0, 0, i);
    for (int member = 1; member < members; member++) {
      int next = value(member, 0, i);
      result =
          switch (way) {
            case SUM -> from.narrowed(result + next);
            case MAX -> Math.max(result, next);
            case LEFT -> result;
            case RIGHT -> next;
          };
    }
    return result;
  }

  private void reduce(int kind) {
    Way way = Way.values()[drawn.nextInt(Way.values().length)];
    int which = kind == 5 ? drawn.nextInt(2) : kind;
    if (which == 7) {
      reduceScatter(way);
      return;
    }
    int n = counts[0];
    Object mine = one(n, 0);
    Object got = drawn.nextInt(4) == 0 ? mine : from.arrayFor(offset2, n);
    int at = got == mine ? offset : offset2;
    Object expected = from.arrayFor(at, n);
    if (got == mine) {
      from.fill(expected, at, n, i -> value(rank, 0, i));
    }
    int count = from.count(n);
    int members = size;
    if (which == 0) {
      comm.Reduce(mine, offset, got, at, count, from.type(), op(way), root);
      members = rank == root ? size : 0;
    } else if (which == 1) {
      comm.Allreduce(mine, offset, got, at, count, from.type(), op(way));
    } else {
      comm.Scan(mine, offset, got, at, count, from.type(), op(way));
      members = rank + 1;
    }
    int of = members;
    if (of > 0) {
      from.fill(expected, at, n, i -> reduced(way, of, i));
    }
    check(got, expected, "reduction " + which + " by " + way);
  }

  private void reduceScatter(Way way) {
    int[] typed = typed(from, counts);
    int all = Arrays.stream(counts).sum();
    int before = Arrays.stream(counts, 0, rank).sum();
    Object got = from.arrayFor(offset2, counts[rank]);
    Object expected = from.arrayFor(offset2, counts[rank]);
    comm.Reduce_scatter(one(all, 0), offset, got, offset2, typed, from.type(), op(way));
    from.fill(expected, offset2, counts[rank], i -> reduced(way, size, before + i));
    check(got, expected, "reduce and scatter by " + way);
  }
}
