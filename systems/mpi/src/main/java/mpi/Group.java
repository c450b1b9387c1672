// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.Group.Range;
import java.util.Arrays;
import java.util.function.Supplier;

/** Processes in an order (MPI 4.1, section 7.3): of a communicator, or made from such groups. */
public class Group {

  /** MPJ Express' number of the empty group. */
  public static final int EMPTY = 0;

  final io.verbena.mpi.Group members;

  private final boolean isNull;

  Group(io.verbena.mpi.Group members) {
    this(members, false);
  }

  private Group(io.verbena.mpi.Group members, boolean isNull) {
    this.members = members;
    this.isNull = isNull;
  }

  static Group none() {
    return new Group(io.verbena.mpi.Group.EMPTY, true);
  }

  /** Does nothing: there is nothing to free but by the garbage collector. */
  public void free() {}

  /** Does nothing: there is nothing to free but by the garbage collector. */
  @Override
  @SuppressWarnings({"removal", "Finalize"}) // programs may call it
  public void finalize() {}

  /** How many members it has. */
  public int Size() {
    return of(this).size();
  }

  /** This process' rank in it; {@code MPI.UNDEFINED} if it is no member. */
  public int Rank() {
    return of(this).rankOf(MPI.world().rank());
  }

  /**
   * The ranks that members of one group have in another.
   *
   * @return {@code MPI.UNDEFINED} for those that are not in it; {@code MPI.PROC_NULL} stays
   */
  public static int[] Translate_ranks(Group group1, int[] ranks1, Group group2) {
    io.verbena.mpi.Group from = of(group1);
    io.verbena.mpi.Group to = of(group2);
    MPIException.check(ranks1 != null, "array of ranks is null");
    return made(
        () ->
            Arrays.stream(ranks1)
                .map(rank -> rank == MPI.PROC_NULL ? rank : to.rankOf(from.processOf(rank)))
                .toArray());
  }

  /** {@code MPI.IDENT}, {@code MPI.SIMILAR} (other order) or {@code MPI.UNEQUAL}. */
  public static int Compare(Group group1, Group group2) {
    return MPI.code(of(group1).compare(of(group2)));
  }

  /** The members of the first, then those of the second that are not in the first. */
  public static Group Union(Group group1, Group group2) {
    return new Group(of(group1).union(of(group2)));
  }

  /** The members of the first that are in the second, too. */
  public static Group Intersection(Group group1, Group group2) {
    return new Group(of(group1).intersection(of(group2)));
  }

  /** The members of the first that are not in the second. */
  public static Group Difference(Group group1, Group group2) {
    return new Group(of(group1).difference(of(group2)));
  }

  /** The members with these ranks, in this order. */
  public Group Incl(int[] ranks) {
    MPIException.check(ranks != null, "array of ranks is null");
    return made(() -> new Group(of(this).include(ranks)));
  }

  /** The members without those with these ranks. */
  public Group Excl(int[] ranks) {
    MPIException.check(ranks != null, "array of ranks is null");
    return made(() -> new Group(of(this).exclude(ranks)));
  }

  /** The members with the ranks of these ranges: first, last, stride. */
  public Group Range_incl(int[][] ranges) {
    return made(() -> new Group(of(this).include(ranges(ranges))));
  }

  /** The members without those of these ranges: first, last, stride. */
  public Group Range_excl(int[][] ranges) {
    return made(() -> new Group(of(this).exclude(ranges(ranges))));
  }

  private static Range[] ranges(int[][] ranges) {
    MPIException.check(ranges != null, "array of ranges is null");
    Range[] all = new Range[ranges.length];
    for (int i = 0; i < all.length; i++) {
      int[] each = ranges[i];
      MPIException.check(
          each != null && each.length == 3,
          "range %d is %s; it has a first rank, a last one and a stride",
          i,
          Arrays.toString(each));
      all[i] = new Range(each[0], each[1], each[2]);
    }
    return all;
  }

  private static <T> T made(Supplier<T> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      throw MPIException.of(e);
    }
  }

  static io.verbena.mpi.Group of(Group group) {
    MPIException.check(group != null, "group is null");
    MPIException.check(!group.isNull, "group is MPI.GROUP_NULL");
    return group.members;
  }
}
