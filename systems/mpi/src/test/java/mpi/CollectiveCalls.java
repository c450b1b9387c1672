// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** What all members do together, with sections, gaps, counts and objects. */
final class CollectiveCalls {

  private final Intracomm all = MPI.COMM_WORLD;
  private final int rank = all.Rank();
  private final int size = all.Size();

  record Name(int number) implements Serializable {}

  /** Cannot be serialized. */
  private static final class Refusing implements Serializable {
    private void writeObject(ObjectOutputStream unused) {
      throw new IllegalStateException("on purpose");
    }
  }

  /** A pair of every three elements: one element of these three is a gap. */
  private static Datatype pairOfThree() {
    Datatype type =
        Datatype.Struct(
            new int[] {1, 1, 1}, new int[] {0, 1, 3}, new Datatype[] {MPI.INT, MPI.INT, MPI.UB});
    type.Commit();
    return type;
  }

  private static int[] array(int length, IntUnaryOperator at) {
    int[] array = new int[length];
    Arrays.setAll(array, at);
    return array;
  }

  private int sum(IntUnaryOperator of) {
    return IntStream.range(0, size).map(of).sum();
  }

  void all() {
    for (int root = 0; root < size; root++) {
      bcast(root);
      gather(root);
      scatter(root);
      reduce(root);
    }
    allgather();
    alltoall();
    reduceAll();
    ordered();
    objects();
    wrong();
  }

  private void bcast(int root) {
    int[] data = rank == root ? array(9, i -> 7 * root + i) : new int[9];
    all.Bcast(data, 2, 5, MPI.INT, root);
    for (int i = 0; i < 9; i++) {
      assertThat(data[i]).isEqualTo(rank == root || (i > 1 && i < 7) ? 7 * root + i : 0);
    }
    int[] large = rank == root ? array(60_000, i -> i - root) : new int[60_000];
    all.Bcast(large, 0, 20_000, pairOfThree(), root);
    assertThat(large[59_998]).isEqualTo(59_998 - root);
    assertThat(large[59_999]).isEqualTo(rank == root ? 59_999 - root : 0);
    Object[] some = rank == root ? new Object[] {null, new Name(root), "x"} : new Object[3];
    all.Bcast(some, 1, 2, MPI.OBJECT, root);
    assertThat(some).containsExactly(null, new Name(root), "x");
  }

  private void gather(int root) {
    int[] got = new int[1 + 3 * size];
    all.Gather(new int[] {9, rank, 10 * rank}, 1, 2, MPI.INT, got, 1, 1, pairOfThree(), root);
    int[] expected = new int[1 + 3 * size];
    for (int i = 0; i < size && rank == root; i++) {
      expected[1 + 3 * i] = i;
      expected[2 + 3 * i] = 10 * i;
    }
    assertThat(got).isEqualTo(expected);

    // Member i gives i elements, which go backwards, with a gap before each.
    int[] counts = array(size, i -> i);
    int[] places = array(size, i -> (size - i) * size);
    int[] all2 = rank == root ? new int[3 + size * (size + 1)] : null;
    all.Gatherv(
        array(size, i -> 100 * rank + i), 0, rank, MPI.INT, all2, 3, counts, places, MPI.INT, root);
    for (int i = 0; i < size && rank == root; i++) {
      for (int j = 0; j < size; j++) {
        assertThat(all2[3 + places[i] + j]).isEqualTo(j < i ? 100 * i + j : 0);
      }
    }
    Object[] names = rank == root ? new Object[size + 1] : null;
    all.Gather(new Object[] {new Name(rank)}, 0, 1, MPI.OBJECT, names, 1, 1, MPI.OBJECT, root);
    assertThat(rank != root || names[size].equals(new Name(size - 1))).isTrue();
    all.Gatherv(
        new Object[] {"a" + rank, "b"},
        0,
        1,
        MPI.OBJECT,
        names,
        0,
        array(size, i -> 1),
        array(size, i -> size - i),
        MPI.OBJECT,
        root);
    assertThat(rank != root || names[1].equals("a" + (size - 1))).isTrue();
  }

  private void scatter(int root) {
    int[] sent = rank == root ? array(2 + 3 * size, i -> root + i) : null;
    int[] got = new int[4];
    all.Scatter(sent, 2, 1, pairOfThree(), got, 1, 2, MPI.INT, root);
    assertThat(got).containsExactly(0, root + 2 + 3 * rank, root + 3 + 3 * rank, 0);

    int[] counts = array(size, i -> size - i);
    int[] places = array(size, i -> i * size);
    int[] from = rank == root ? array(1 + size * size, i -> i) : null;
    int[] into = new int[size + 1];
    all.Scatterv(from, 1, counts, places, MPI.INT, into, 1, size - rank, MPI.INT, root);
    for (int i = 0; i < size; i++) {
      assertThat(into[1 + i]).isEqualTo(i < size - rank ? 1 + rank * size + i : 0);
    }
    Object[] names = rank == root ? new Object[size] : null;
    for (int i = 0; i < size && rank == root; i++) {
      names[i] = new double[] {i};
    }
    Object[] own = new Object[2];
    all.Scatter(names, 0, 1, MPI.OBJECT, own, 1, 1, MPI.OBJECT, root);
    assertThat((double[]) own[1]).containsExactly(rank);
    int[] ones = array(size, i -> 1);
    all.Scatterv(
        names, 0, ones, array(size, i -> size - 1 - i), MPI.OBJECT, own, 0, 1, MPI.OBJECT, root);
    assertThat((double[]) own[0]).containsExactly(size - 1 - rank);
  }

  private void allgather() {
    int[] got = new int[1 + 2 * size];
    all.Allgather(new int[] {rank, -rank}, 0, 2, MPI.INT, got, 1, 1, MPI.INT2);
    assertThat(got).isEqualTo(array(got.length, i -> i % 2 == 1 ? i / 2 : -Math.max(0, i / 2 - 1)));
    int[] counts = array(size, i -> i);
    int[] places = array(size, i -> i * size);
    int[] rows = new int[size * size];
    all.Allgatherv(array(size, i -> rank + 1), 0, rank, MPI.INT, rows, 0, counts, places, MPI.INT);
    assertThat(rows).isEqualTo(array(size * size, i -> i % size < i / size ? i / size + 1 : 0));
    Object[] names = new Object[size];
    all.Allgather(new Object[] {new Name(rank)}, 0, 1, MPI.OBJECT, names, 0, 1, MPI.OBJECT);
    assertThat(names[size - 1]).isEqualTo(new Name(size - 1));
    Object[] more = new Object[size * size];
    all.Allgatherv(names, 0, rank, MPI.OBJECT, more, 0, counts, places, MPI.OBJECT);
    assertThat(more[size * size - 1]).isNull();
    assertThat(size == 1 || more[size * (size - 1)].equals(new Name(0))).isTrue();
  }

  private void alltoall() {
    int[] got = new int[2 + 3 * size];
    all.Alltoall(array(2 * size, i -> 10 * rank + i / 2), 0, 2, MPI.INT, got, 2, 1, pairOfThree());
    for (int i = 0; i < size; i++) {
      assertThat(Arrays.copyOfRange(got, 2 + 3 * i, 5 + 3 * i))
          .containsExactly(10 * i + rank, 10 * i + rank, 0);
    }
    // Member i sends i + j elements to member j.
    int[] counts = array(size, j -> rank + j);
    int[] places = array(size, j -> 2 * size * j);
    int[] into = new int[2 * size * size];
    int[] from = array(2 * size * size, i -> 100 * rank + i / (2 * size));
    all.Alltoallv(from, 0, counts, places, MPI.INT, into, 0, counts, places, MPI.INT);
    for (int i = 0; i < size; i++) {
      for (int k = 0; k < 2 * size; k++) {
        assertThat(into[2 * size * i + k]).isEqualTo(k < rank + i ? 100 * i + rank : 0);
      }
    }
    Object[] letters = new Object[size];
    Arrays.setAll(letters, i -> rank + " to " + i);
    Object[] received = new Object[size];
    all.Alltoall(letters, 0, 1, MPI.OBJECT, received, 0, 1, MPI.OBJECT);
    for (int i = 0; i < size; i++) {
      assertThat(received[i]).isEqualTo(i + " to " + rank);
    }
    int[] ones = array(size, i -> 1);
    int[] order = array(size, i -> i);
    Object[] again = new Object[size];
    all.Alltoallv(letters, 0, ones, order, MPI.OBJECT, again, 0, ones, order, MPI.OBJECT);
    assertThat(again).isEqualTo(received);
  }

  private void reduce(int root) {
    int[] got = {-1, -1, -1};
    all.Reduce(new int[] {0, rank, 2 * rank}, 1, got, 1, 2, MPI.INT, MPI.SUM, root);
    assertThat(got[0]).isEqualTo(-1);
    assertThat(got[1]).isEqualTo(rank == root ? sum(i -> i) : -1);
    assertThat(got[2]).isEqualTo(rank == root ? sum(i -> 2 * i) : -1);
    int[] same = {rank + 1};
    all.Reduce(same, 0, same, 0, 1, MPI.INT, MPI.MAX, root);
    assertThat(same[0]).isEqualTo(rank == root ? size : rank + 1);
    double[] pair = {rank % 2, rank};
    double[] greatest = new double[2];
    all.Reduce(pair, 0, greatest, 0, 1, MPI.DOUBLE2, MPI.MAXLOC, root);
    if (rank == root) {
      assertThat(greatest).containsExactly(size > 1 ? 1 : 0, size > 1 ? 1 : 0);
    }
  }

  private void reduceAll() {
    int[] got = new int[7];
    all.Allreduce(array(6, i -> rank + i), 0, got, 0, 2, pairOfThree(), MPI.SUM);
    assertThat(got).isEqualTo(array(7, i -> i % 3 < 2 && i < 6 ? sum(r -> r) + size * i : 0));
    long[] same = array(3000, i -> i).length == 3000 ? new long[3000] : null;
    Arrays.setAll(same, i -> 1L << (rank + i % 8));
    all.Allreduce(same, 0, same, 0, 3000, MPI.LONG, MPI.BOR);
    assertThat(same[2999]).isEqualTo(((1L << size) - 1) << 2999 % 8);
    int[] apart = {rank, -1}; // one array, but not one place
    all.Allreduce(apart, 0, apart, 1, 1, MPI.INT, MPI.SUM);
    assertThat(apart).containsExactly(rank, sum(r -> r));
    boolean[] truths = {rank == 0, rank > 0};
    all.Allreduce(truths, 0, truths, 0, 2, MPI.BOOLEAN, MPI.LOR);
    assertThat(truths).containsExactly(true, size > 1);

    int[] counts = array(size, i -> i + 1);
    int length = size * (size + 1) / 2;
    int before = rank * (rank + 1) / 2;
    int[] sent = array(1 + length, i -> i * (rank + 1));
    int[] part = new int[rank + 3];
    all.Reduce_scatter(sent, 1, part, 1, counts, MPI.INT, MPI.SUM);
    int times = sum(i -> i + 1);
    assertThat(part)
        .isEqualTo(array(rank + 3, i -> i > 0 && i < rank + 2 ? times * (before + i) : 0));
    assertThat(sent).as("stays").isEqualTo(array(1 + length, i -> i * (rank + 1)));

    int[] prefix = new int[2];
    all.Scan(new int[] {rank, 5}, 0, prefix, 0, 2, MPI.INT, MPI.SUM);
    assertThat(prefix).containsExactly(rank * (rank + 1) / 2, 5 * (rank + 1));
  }

  /** Matrices of two by two, multiplied in the order of the ranks; and texts. */
  private void ordered() {
    Op times = new Op(new Product(), false);
    Datatype matrix = Datatype.Contiguous(4, MPI.LONG);
    matrix.Commit();
    long[] mine = {1, rank + 1, 0, 1, 2, rank, 1, 1};
    long[][] expected = new long[size][];
    long[] product = {1, 0, 0, 1, 1, 0, 0, 1};
    for (int i = 0; i < size; i++) {
      long[] next = {1, i + 1, 0, 1, 2, i, 1, 1};
      times.apply(product, 0, next, 0, 2, matrix);
      product = next;
      expected[i] = next;
    }
    long[] got = new long[8];
    all.Allreduce(mine, 0, got, 0, 2, matrix, times);
    assertThat(got).isEqualTo(expected[size - 1]);
    all.Scan(mine, 0, got, 0, 2, matrix, times);
    assertThat(got).isEqualTo(expected[rank]);
    Arrays.fill(got, 0);
    all.Reduce(mine, 0, got, 0, 2, matrix, times, size - 1);
    assertThat(got).isEqualTo(rank == size - 1 ? expected[rank] : new long[8]);
    int[] counts = new int[size];
    counts[0] = 2;
    Arrays.fill(got, 0);
    all.Reduce_scatter(mine, 0, got, 0, counts, matrix, times);
    assertThat(got).isEqualTo(rank == 0 ? expected[size - 1] : new long[8]);
  }

  private static final class Product extends User_function {
    @Override
    public void Call(Object in, int at, Object inout, int to, int count, Datatype type) {
      long[] a = (long[]) in;
      long[] b = (long[]) inout;
      for (int i = 0; i < 4 * count; i += 4) {
        long[] c = Arrays.copyOfRange(b, to + i, to + i + 4);
        b[to + i] = a[at + i] * c[0] + a[at + i + 1] * c[2];
        b[to + i + 1] = a[at + i] * c[1] + a[at + i + 1] * c[3];
        b[to + i + 2] = a[at + i + 2] * c[0] + a[at + i + 3] * c[2];
        b[to + i + 3] = a[at + i + 2] * c[1] + a[at + i + 3] * c[3];
      }
    }
  }

  private static final class Joined extends User_function {
    @Override
    public void Call(Object in, int at, Object inout, int to, int count, Datatype type) {
      Object[] a = (Object[]) in;
      Object[] b = (Object[]) inout;
      for (int i = 0; i < count; i++) {
        b[to + i] = a[at + i] + "" + b[to + i];
      }
    }
  }

  private void objects() {
    Op joined = new Op(new Joined(), false);
    String numbers = "0123456789".substring(0, size);
    Object[] mine = {"" + rank, "x"};
    Object[] got = new Object[3];
    all.Reduce(mine, 0, got, 1, 2, MPI.OBJECT, joined, 0);
    assertThat(rank != 0 || got[1].equals(numbers) && got[2].equals("x".repeat(size))).isTrue();
    all.Allreduce(mine, 0, got, 0, 1, MPI.OBJECT, joined);
    assertThat(got[0]).isEqualTo(numbers);
    all.Scan(mine, 0, got, 0, 1, MPI.OBJECT, joined);
    assertThat(got[0]).isEqualTo(numbers.substring(0, rank + 1));
    Object[] each = new Object[size];
    Arrays.fill(each, "" + rank);
    each[size - 1] = "y";
    all.Reduce_scatter(each, 0, got, 2, array(size, i -> 1), MPI.OBJECT, joined);
    assertThat(got[2]).isEqualTo(rank == size - 1 ? "y".repeat(size) : numbers);
    refused();
  }

  /** Who cannot serialize its objects does not leave the others waiting. */
  private void refused() {
    Object[] some = {rank == 0 ? new Refusing() : "x"};
    String why = rank == 0 ? "on purpose" : "rank 0 could not serialize its objects";
    Calls.fails(why, () -> all.Bcast(some, 0, 1, MPI.OBJECT, 0));
    Object[] got = new Object[size];
    Calls.fails(why, () -> all.Allgather(some, 0, 1, MPI.OBJECT, got, 0, 1, MPI.OBJECT));
    all.Barrier();
  }

  /** Each member finds the same wrong; nothing is sent, and the next call is as if nothing were. */
  private void wrong() {
    int[] ten = new int[10 * size];
    int[] few = new int[size - 1];
    int[] ones = array(size, i -> 1);
    Calls.fails(
        "root is rank " + size + "; there are 0 to", () -> all.Bcast(ten, 0, 1, MPI.INT, size));
    Calls.fails("root is rank -1", () -> all.Reduce(ten, 0, ten, 0, 1, MPI.INT, MPI.SUM, -1));
    Calls.fails("a buffer is null", () -> all.Bcast(null, 0, 1, MPI.INT, 0));
    Calls.fails(
        "of a buffer of 1 INT", () -> all.Allgather(ten, 0, 1, MPI.INT, new int[1], 0, 2, MPI.INT));
    Calls.fails(
        "counts for " + size + " members",
        () -> all.Allgatherv(ten, 0, 1, MPI.INT, ten, 0, few, ones, MPI.INT));
    Calls.fails(
        "array of displacements is null",
        () -> all.Alltoallv(ten, 0, ones, null, MPI.INT, ten, 0, ones, ones, MPI.INT));
    Calls.fails(
        "count is -1",
        () -> all.Allgatherv(ten, 0, 1, MPI.INT, ten, 0, array(size, i -> -1), ones, MPI.INT));
    Calls.fails(
        "both or none are of objects",
        () -> all.Allgather(ten, 0, 1, MPI.INT, new Object[size], 0, 1, MPI.OBJECT));
    MemorySegment off = Arena.ofAuto().allocate(80);
    Calls.fails(
        "both or none are of objects",
        () -> all.Gather(ten, 0, 1, MPI.INT, off, 0, 1, MPI.OBJECT, rank));
    Calls.fails(
        "both or none are of objects",
        () -> all.Scatter(off, 0, 1, MPI.OBJECT, ten, 0, 1, MPI.INT, rank));
    Calls.fails(
        "SUM is not defined for OBJECT",
        () -> all.Allreduce(new Object[1], 0, new Object[1], 0, 1, MPI.OBJECT, MPI.SUM));
    Calls.fails("operation is null", () -> all.Scan(ten, 0, ten, 0, 1, MPI.INT, null));
    Calls.fails(
        "array of counts is null",
        () -> all.Reduce_scatter(ten, 0, ten, 0, null, MPI.INT, MPI.SUM));
    int[] oneIsLess = array(size, i -> i == 0 ? -1 : 1);
    Calls.fails(
        "count is -1",
        () -> all.Reduce_scatter(ten, 0, new int[1], 0, oneIsLess, MPI.INT, MPI.SUM));
    Calls.fails("is not committed", () -> all.Bcast(ten, 0, 1, Datatype.Contiguous(1, MPI.INT), 0));
    bcast(0);
  }
}
