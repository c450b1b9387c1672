// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;

/** Communicators made from others, groups, neighbourhoods, attributes. */
final class CommunicatorCalls {

  private final Intracomm all = MPI.COMM_WORLD;
  private final int rank = all.Rank();
  private final int size = all.Size();

  void all() {
    groups();
    split();
    created();
    attributes();
    errors();
    grid();
    graph();
    if (size > 1) {
      twoGroups();
    }
  }

  private static int sumOf(Intracomm comm, int mine) {
    int[] sum = {mine};
    comm.Allreduce(sum, 0, sum, 0, 1, MPI.INT, MPI.SUM);
    return sum[0];
  }

  private void groups() {
    Group group = all.Group();
    assertThat(group.Size()).isEqualTo(size);
    assertThat(group.Rank()).isEqualTo(rank);
    assertThat(all.group.Rank()).isEqualTo(rank);
    Group last = group.Incl(new int[] {size - 1});
    Group others = group.Excl(new int[] {size - 1});
    assertThat(last.Rank()).isEqualTo(rank == size - 1 ? 0 : MPI.UNDEFINED);
    assertThat(Group.Union(last, others).Size()).isEqualTo(size);
    assertThat(Group.Compare(Group.Union(others, last), group)).isEqualTo(MPI.IDENT);
    assertThat(Group.Compare(Group.Union(last, others), group))
        .isEqualTo(size == 1 ? MPI.IDENT : MPI.SIMILAR);
    assertThat(Group.Compare(last, MPI.GROUP_EMPTY)).isEqualTo(MPI.UNEQUAL);
    assertThat(Group.Intersection(last, others).Size()).isZero();
    assertThat(Group.Difference(group, others).Size()).isEqualTo(1);
    int[] ranks = Group.Translate_ranks(group, new int[] {size - 1, 0, MPI.PROC_NULL}, last);
    assertThat(ranks).containsExactly(0, size == 1 ? 0 : MPI.UNDEFINED, MPI.PROC_NULL);
    Group down = group.Range_incl(new int[][] {{size - 1, 0, -1}});
    assertThat(down.Rank()).isEqualTo(size - 1 - rank);
    assertThat(group.Range_excl(new int[][] {{0, size - 1, 2}}).Size()).isEqualTo(size / 2);
    Calls.fails("rank " + size + " of a group of " + size, () -> group.Incl(new int[] {size}));
    Calls.fails(
        "it has a first rank, a last one and a stride",
        () -> group.Range_incl(new int[][] {{0, 1}}));
    Calls.fails("a stride of 0", () -> group.Range_excl(new int[][] {{0, 1, 0}}));
    Calls.fails("group is MPI.GROUP_NULL", () -> MPI.GROUP_NULL.Size());
    Calls.fails("group is null", () -> Group.Union(null, group));
    group.free();
  }

  private void split() {
    Intracomm down = all.Split(1_000_000_000, -rank);
    assertThat(down.Rank()).isEqualTo(size - 1 - rank);
    assertThat(Comm.Compare(all, down)).isEqualTo(size == 1 ? MPI.CONGRUENT : MPI.SIMILAR);
    Intracomm parity = all.Split(rank % 2, 0);
    assertThat(parity.Size()).isEqualTo((size + 1 - rank % 2) / 2);
    assertThat(sumOf(parity, 1)).isEqualTo(parity.Size());
    Intracomm first = all.Split(rank == 0 ? 3 : MPI.UNDEFINED, 0);
    assertThat(first.Is_null()).isEqualTo(rank != 0);
    assertThat((Comm) first == MPI.COMM_NULL).isEqualTo(rank != 0);
    if (rank != 0) {
      Calls.fails("the communicator is null", first::Size);
      Calls.fails("the communicator is null", () -> first.Send(new int[1], 0, 1, MPI.INT, 0, 0));
    }
    Calls.fails("color is -7", () -> all.Split(-7, 0));
    parity.Free();
    assertThat(parity.Is_null()).isTrue();
    Calls.fails("it was freed", parity::Barrier);
    Calls.fails("there for as long as the world is", all::Free);
    assertThat(all.Is_null()).isFalse();
  }

  private void created() {
    Intracomm copy = (Intracomm) all.clone();
    assertThat(Intracomm.Compare(all, copy)).isEqualTo(MPI.CONGRUENT);
    assertThat(Comm.Compare(all, all)).isEqualTo(MPI.IDENT);
    assertThat(Comm.Compare(all, MPI.COMM_SELF)).isEqualTo(size == 1 ? MPI.CONGRUENT : MPI.UNEQUAL);
    Intracomm but = all.Create(all.Group().Incl(new int[] {size - 1}));
    assertThat(but.Is_null()).isEqualTo(rank != size - 1);
    // What is said in one communicator is not heard in another.
    Request receive = copy.Irecv(new int[1], 0, 1, MPI.INT, rank, 0);
    all.Send(new int[1], 0, 1, MPI.INT, rank, 0);
    assertThat(receive.Test()).isNull();
    copy.Send(new int[1], 0, 1, MPI.INT, rank, 0);
    receive.Wait();
    all.Recv(new int[1], 0, 1, MPI.INT, rank, 0);
    assertThat(copy.Test_inter()).isFalse();
    assertThat(copy.Topo_test()).isEqualTo(MPI.UNDEFINED);
    copy.Free();
    Calls.fails("group is null", () -> all.Create(null));
    Calls.fails("a communicator is null", () -> Comm.Compare(all, null));
  }

  private void attributes() {
    assertThat(all.Attr_get(MPI.TAG_UB)).isEqualTo(Integer.MAX_VALUE);
    assertThat(all.Attr_get(MPI.HOST)).isEqualTo(MPI.PROC_NULL);
    assertThat(all.Attr_get(MPI.IO)).isEqualTo(MPI.ANY_SOURCE);
    assertThat(all.Attr_get(MPI.WTIME_IS_GLOBAL)).isEqualTo(false);
    Calls.fails("no attribute has the key 5", () -> all.Attr_get(5));
    Calls.fails("the communicator is null", () -> MPI.COMM_NULL.Attr_get(MPI.TAG_UB));
    all.Attr_put(5, "kept");
    assertThat(all.Attr_get(5)).isEqualTo("kept");
    Intracomm copy = (Intracomm) all.clone();
    Calls.fails("no attribute has the key 5", () -> copy.Attr_get(5));
    copy.Free();
    all.Attr_delete(5);
    Calls.fails("no attribute has the key 5", () -> all.Attr_get(5));
    Calls.fails("those of programs are 0 or more", () -> all.Attr_put(MPI.IO, 1));
    Calls.fails("those of programs are 0 or more", () -> all.Attr_delete(MPI.TAG_UB));
    Calls.fails("value of an attribute is null", () -> all.Attr_put(6, null));
  }

  private void errors() {
    Intracomm copy = (Intracomm) all.clone();
    assertThat(copy.Errorhandler_get()).isSameAs(MPI.ERRORS_RETURN);
    copy.Errorhandler_set(MPI.ERRORS_ARE_FATAL);
    Intracomm second = (Intracomm) copy.clone();
    assertThat(second.Errorhandler_get()).isSameAs(MPI.ERRORS_ARE_FATAL);
    second.Free();
    copy.Free();
  }

  private void grid() {
    int[] dims = {0, 0};
    Cartcomm.Dims_create(12, dims);
    assertThat(dims).containsExactly(4, 3);
    int[] given = {0, 4, 0};
    Cartcomm.Dims_create(24, given);
    assertThat(given).containsExactly(3, 4, 2);
    Calls.fails("no grid of 7 processes", () -> Cartcomm.Dims_create(7, new int[] {2, 0}));
    int[] lines = {size, 1};
    Cartcomm line = all.Create_cart(lines, new boolean[] {true, false}, true);
    assertThat(line.Topo_test()).isEqualTo(MPI.CART);
    assertThat(line.Coords(rank)).containsExactly(rank, 0);
    assertThat(line.Rank(new int[] {rank + size, 0})).isEqualTo(rank);
    Calls.fails("coordinate 1 of dimension 1", () -> line.Rank(new int[] {0, 1}));
    ShiftParms along = line.Shift(0, 1);
    assertThat(along.rank_source).isEqualTo((rank + size - 1) % size);
    assertThat(along.rank_dest).isEqualTo((rank + 1) % size);
    ShiftParms across = line.Shift(1, 1);
    assertThat(across.rank_source).isEqualTo(MPI.PROC_NULL);
    assertThat(across.rank_dest).isEqualTo(MPI.PROC_NULL);
    CartParms parms = line.Get();
    assertThat(parms.dims).isEqualTo(lines);
    assertThat(parms.periods).containsExactly(true, false);
    assertThat(parms.coords).containsExactly(rank, 0);
    Cartcomm alone = line.Sub(new boolean[] {false, true});
    assertThat(alone.Size()).isEqualTo(1);
    assertThat(alone.Get().dims).containsExactly(1);
    assertThat(((Cartcomm) line.clone()).Coords(0)).containsExactly(0, 0);
    assertThat(line.Map(new int[] {1}, new boolean[1])).isEqualTo(rank == 0 ? 0 : MPI.UNDEFINED);
    Cartcomm one = all.Create_cart(new int[] {1}, new boolean[1], false);
    assertThat(one.Is_null()).isEqualTo(rank != 0);
    Calls.fails("ranks", () -> all.Create_cart(new int[] {size + 1}, new boolean[1], false));
    Calls.fails("a dimension of 0", () -> all.Create_cart(new int[1], new boolean[1], false));
    Calls.fails("are null", () -> all.Create_cart(null, new boolean[1], false));
    assertThat(sumOf(line, 2)).isEqualTo(2 * size);
  }

  private void graph() {
    // A star: 0 is everybody's neighbour.
    int[] index = new int[size];
    Arrays.setAll(index, i -> size - 1 + i);
    int[] edges = new int[2 * (size - 1)];
    Arrays.setAll(edges, i -> i < size - 1 ? i + 1 : 0);
    Graphcomm star = all.Create_graph(index, edges, false);
    assertThat(star.Topo_test()).isEqualTo(MPI.GRAPH);
    assertThat(star.Neighbours(0)).hasSize(size - 1);
    assertThat(star.Neighbours(size - 1)).isEqualTo(size == 1 ? new int[0] : new int[] {0});
    assertThat(star.Get().index).isEqualTo(index);
    assertThat(((Graphcomm) star.clone()).Get().edges).isEqualTo(edges);
    assertThat(star.Map(index, edges)).isEqualTo(rank);
    Calls.fails("rank " + size, () -> star.Neighbours(size));
    Calls.fails("are null", () -> all.Create_graph(null, edges, false));
  }

  private void twoGroups() {
    boolean isOdd = rank % 2 == 1;
    Intracomm own = all.Split(isOdd ? 1 : 0, 0);
    Intercomm two = all.Create_intercomm(own, 0, isOdd ? 0 : 1, 77);
    assertThat(two.Test_inter()).isTrue();
    assertThat(two.Size()).isEqualTo(own.Size());
    assertThat(two.Remote_size()).isEqualTo(size - own.Size());
    assertThat(two.Remote_group().Size()).isEqualTo(size - own.Size());
    if (own.Rank() < two.Remote_size()) {
      int[] got = new int[1];
      two.Sendrecv(
          new int[] {rank}, 0, 1, MPI.INT, own.Rank(), 0, got, 0, 1, MPI.INT, own.Rank(), 0);
      assertThat(got[0]).isEqualTo(rank ^ 1);
    }
    Calls.fails(
        "destination is rank " + two.Remote_size(),
        () -> two.Send(new int[1], 0, 1, MPI.INT, two.Remote_size(), 0));
    Intracomm both = two.Merge(!isOdd);
    assertThat(both.Rank()).isEqualTo(isOdd ? own.Rank() : two.Remote_size() + own.Rank());
    Intercomm copy = (Intercomm) two.clone();
    assertThat(Comm.Compare(two, copy)).isEqualTo(MPI.CONGRUENT);
    copy.Free();
    assertThat(sumOf(both, 3)).isEqualTo(3 * size);
    Calls.fails("local leader is rank 9", () -> all.Create_intercomm(own, 9, 0, 1));
    Calls.fails("local communicator is null", () -> all.Create_intercomm(null, 0, 0, 1));
    Calls.fails("has two groups", () -> all.Create_intercomm(two, 0, 0, 1));
  }
}
