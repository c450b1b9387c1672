// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Processes in an order, each once: a process' place in it is its rank there (MPI 4.1, section
 * 7.3). Processes are told by their numbers in the job. Making groups is arithmetic, by each
 * process for itself. Immutable.
 */
public final class Group {

  /** The group without members. */
  public static final Group EMPTY = new Group(new int[0]);

  /** What {@link #rankOf} and {@link #translate} say of a process that is no member. */
  public static final int UNDEFINED = -1;

  private final int[] members;
  private final Map<Integer, Integer> ranks;

  private Group(int[] members) {
    this.members = members;
    this.ranks = HashMap.newHashMap(members.length);
    for (int rank = 0; rank < members.length; rank++) {
      check(members[rank] >= 0, "process %d in a group", members[rank]);
      Integer before = ranks.put(members[rank], rank);
      check(before == null, "process %d twice in a group", members[rank]);
    }
  }

  /**
   * The group of these processes in this order.
   *
   * @param processes their numbers in the job
   * @throws IllegalArgumentException if one is negative, or there twice
   */
  public static Group of(int... processes) {
    return processes.length == 0 ? EMPTY : new Group(processes.clone());
  }

  /** The group of processes 0 to {@code size - 1}. */
  public static Group ofAll(int size) {
    return of(IntStream.range(0, size).toArray());
  }

  /** How many members it has. */
  public int size() {
    return members.length;
  }

  /** The number in the job of the member with this rank. */
  public int processOf(int rank) {
    return members[member(rank)];
  }

  /** The numbers in the job of all members, by rank. */
  public int[] processes() {
    return members.clone();
  }

  /** The same, to be sent. */
  LongStream numbers() {
    return Arrays.stream(members).asLongStream();
  }

  /** The rank here of a process of the job; {@link #UNDEFINED} if it is no member. */
  public int rankOf(int process) {
    return ranks.getOrDefault(process, UNDEFINED);
  }

  /** Whether a process of the job is a member. */
  public boolean contains(int process) {
    return ranks.containsKey(process);
  }

  /**
   * The ranks that members of this group have in another one.
   *
   * @param to {@link #UNDEFINED} stands for those that are not in it
   */
  public int[] translate(int[] ofRanks, Group to) {
    return Arrays.stream(ofRanks).map(rank -> to.rankOf(processOf(rank))).toArray();
  }

  /** {@link Similarity#IDENTICAL}, {@link Similarity#SIMILAR} or {@link Similarity#UNEQUAL}. */
  public Similarity compare(Group other) {
    if (equals(other)) {
      return Similarity.IDENTICAL;
    }
    return ranks.keySet().equals(other.ranks.keySet()) ? Similarity.SIMILAR : Similarity.UNEQUAL;
  }

  // ---------------------------------------------------------------- sets

  /** The members of this group, then those of the other that are not in this one. */
  public Group union(Group other) {
    IntStream added = Arrays.stream(other.members).filter(process -> !contains(process));
    return of(IntStream.concat(Arrays.stream(members), added).toArray());
  }

  /** The members that are also in the other group, in the order of this one. */
  public Group intersection(Group other) {
    return filter(other::contains);
  }

  /** The members that are not in the other group, in the order of this one. */
  public Group difference(Group other) {
    return filter(process -> !other.contains(process));
  }

  private Group filter(IntPredicate processes) {
    return of(Arrays.stream(members).filter(processes).toArray());
  }

  // ---------------------------------------------------------------- choices

  /**
   * The members with these ranks, in this order.
   *
   * @throws IllegalArgumentException if one is no rank of this group, or there twice
   */
  public Group include(int... chosen) {
    return of(Arrays.stream(chosen).map(this::processOf).toArray());
  }

  /**
   * The members without those of these ranks.
   *
   * @throws IllegalArgumentException if one is no rank of this group, or there twice
   */
  public Group exclude(int... chosen) {
    return difference(include(chosen));
  }

  /**
   * The members with the ranks in these ranges, in this order.
   *
   * @throws IllegalArgumentException if one is no rank of this group, or there twice
   */
  public Group include(Range... ranges) {
    return include(ranks(ranges));
  }

  /**
   * The members without those of the ranks in these ranges.
   *
   * @throws IllegalArgumentException if one is no rank of this group, or there twice
   */
  public Group exclude(Range... ranges) {
    return exclude(ranks(ranges));
  }

  private static int[] ranks(Range... ranges) {
    return Arrays.stream(ranges).flatMapToInt(Range::ranks).toArray();
  }

  /**
   * The ranks {@code first}, {@code first + stride}, … up to {@code last}, which need not be one of
   * them.
   *
   * @param stride not 0; with a negative one the ranks go down. There is none if {@code last} lies
   *     on the other side of {@code first}
   */
  public record Range(int first, int last, int stride) {

    /** Checks it. */
    public Range {
      check(stride != 0, "a stride of %d", stride);
    }

    private IntStream ranks() {
      long count = ((long) last - first) / stride + 1;
      boolean isAside = Integer.signum(Integer.compare(last, first)) == -Integer.signum(stride);
      return isAside ? IntStream.empty() : IntStream.iterate(first, at -> at + stride).limit(count);
    }
  }

  // ---------------------------------------------------------------- as values

  private int member(int rank) {
    if (rank < 0 || rank >= members.length) {
      throw new IllegalArgumentException("rank " + rank + " of a group of " + members.length);
    }
    return rank;
  }

  private static void check(boolean isRight, String otherwise, int value) {
    if (!isRight) {
      throw new IllegalArgumentException(otherwise.formatted(value));
    }
  }

  /** Whether both have the same members in the same order. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Group group && Arrays.equals(members, group.members);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(members);
  }

  @Override
  public String toString() {
    return Arrays.toString(members);
  }
}
