// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Groups as ordered sets. */
class GroupTest {

  @Provide
  Arbitrary<Group> groups() {
    return Arbitraries.integers()
        .between(0, 12)
        .list()
        .uniqueElements()
        .ofMaxSize(9)
        .map(processes -> Group.of(processes.stream().mapToInt(it -> it).toArray()));
  }

  private static List<Integer> list(Group group) {
    return Arrays.stream(group.processes()).boxed().toList();
  }

  private static Set<Integer> set(Group group) {
    return new LinkedHashSet<>(list(group));
  }

  @Property
  void setsAreThoseOfOrderedSets(@ForAll("groups") Group one, @ForAll("groups") Group other) {
    Set<Integer> union = set(one);
    union.addAll(set(other));
    Set<Integer> intersection = set(one);
    intersection.retainAll(set(other));
    Set<Integer> difference = set(one);
    difference.removeAll(set(other));
    assertThat(list(one.union(other))).isEqualTo(List.copyOf(union));
    assertThat(list(one.intersection(other))).isEqualTo(List.copyOf(intersection));
    assertThat(list(one.difference(other))).isEqualTo(List.copyOf(difference));
  }

  @Property
  void ranksAndProcessesAreEachOthersInverse(@ForAll("groups") Group group) {
    for (int rank = 0; rank < group.size(); rank++) {
      assertThat(group.rankOf(group.processOf(rank))).isEqualTo(rank);
    }
    for (int process = 0; process <= 13; process++) {
      assertThat(group.contains(process)).isEqualTo(set(group).contains(process));
      assertThat(group.rankOf(process) == Group.UNDEFINED).isNotEqualTo(group.contains(process));
    }
  }

  @Property
  void translatedRanksAreThoseOfTheSameProcesses(
      @ForAll("groups") Group one, @ForAll("groups") Group other) {
    int[] all = IntStream.range(0, one.size()).toArray();
    int[] there = one.translate(all, other);
    for (int rank : all) {
      assertThat(there[rank]).isEqualTo(list(other).indexOf(one.processOf(rank)));
    }
  }

  @Property
  void groupsAreComparedByMembersAndOrder(
      @ForAll("groups") Group one, @ForAll("groups") Group other) {
    Similarity expected =
        list(one).equals(list(other))
            ? Similarity.IDENTICAL
            : set(one).equals(set(other)) ? Similarity.SIMILAR : Similarity.UNEQUAL;
    assertThat(one.compare(other)).isEqualTo(expected);
    assertThat(one.equals(other)).isEqualTo(expected == Similarity.IDENTICAL);
  }

  @Property
  void includedAndExcludedAreTheWhole(@ForAll("groups") Group group, @ForAll int seed) {
    int[] some = IntStream.range(0, group.size()).filter(r -> (seed >> r & 1) == 1).toArray();
    Group in = group.include(some);
    Group out = group.exclude(some);
    assertThat(in.processes()).isEqualTo(Arrays.stream(some).map(group::processOf).toArray());
    assertThat(in.intersection(out)).isEqualTo(Group.EMPTY);
    assertThat(in.union(out).compare(group)).isNotEqualTo(Similarity.UNEQUAL);
    assertThat(group.difference(in)).isEqualTo(out);
  }

  @Property
  void rangesAreTheirRanksOneByOne(
      @ForAll @IntRange(min = 0, max = 9) int first,
      @ForAll @IntRange(min = 0, max = 9) int last,
      @ForAll @IntRange(min = -4, max = 4) int stride) {
    if (stride == 0) {
      assertThatIllegalArgumentException().isThrownBy(() -> new Group.Range(first, last, stride));
      return;
    }
    IntStream.Builder ranks = IntStream.builder();
    for (int at = first; stride > 0 ? at <= last : at >= last; at += stride) {
      ranks.add(at);
    }
    int[] expected = ranks.build().toArray();
    Group ten = Group.of(10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
    Group.Range range = new Group.Range(first, last, stride);
    assertThat(ten.include(range)).isEqualTo(ten.include(expected));
    assertThat(ten.exclude(range)).isEqualTo(ten.exclude(expected));
  }

  @Example
  void rangesMayFollowEachOtherAndMayNotOverlap() {
    Group ten = Group.ofAll(10);
    Group.Range odd = new Group.Range(1, 9, 2);
    Group.Range down = new Group.Range(6, 0, -2);
    assertThat(list(ten.include(odd, down))).containsExactly(1, 3, 5, 7, 9, 6, 4, 2, 0);
  }

  @Example
  void whatIsNoGroupIsRefused() {
    Group three = Group.of(7, 5, 6);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Group.of(1, 1))
        .withMessageContaining("1");
    assertThatIllegalArgumentException().isThrownBy(() -> Group.of(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> three.include(3));
    assertThatIllegalArgumentException().isThrownBy(() -> three.include(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> three.exclude(0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> three.processOf(3));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> three.include(new Group.Range(0, 2, 1), new Group.Range(2, 2, 1)));
  }
}
