// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The arithmetic of grids and graphs. */
class TopologyTest {

  @Provide
  Arbitrary<CartesianTopology> grids() {
    Arbitrary<List<Integer>> dims = Arbitraries.integers().between(1, 4).list().ofMaxSize(4);
    return dims.flatMap(
        sizes ->
            Arbitraries.of(true, false)
                .list()
                .ofSize(sizes.size())
                .map(rings -> CartesianTopology.of(ints(sizes), booleans(rings))));
  }

  private static int[] ints(List<Integer> list) {
    return list.stream().mapToInt(it -> it).toArray();
  }

  private static boolean[] booleans(List<Boolean> list) {
    boolean[] all = new boolean[list.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = list.get(i);
    }
    return all;
  }

  @Property
  void coordinatesAndRanksAreEachOthersInverseInRowMajorOrder(
      @ForAll("grids") CartesianTopology grid) {
    List<Integer> before = List.of();
    for (int rank = 0; rank < grid.size(); rank++) {
      int[] at = grid.coordinates(rank);
      assertThat(grid.rank(at)).isEqualTo(rank);
      List<Integer> now = Arrays.stream(at).boxed().toList();
      assertThat(rank == 0 || Arrays.compare(ints(before), at) < 0).isTrue();
      before = now;
    }
  }

  @Property
  void aShiftLeadsToTheNeighbourAndBack(
      @ForAll("grids") CartesianTopology grid, @ForAll @IntRange(min = -9, max = 9) int far) {
    for (int rank = 0; rank < grid.size(); rank++) {
      for (int dim = 0; dim < grid.dims().length; dim++) {
        CartesianTopology.Shift shift = grid.shift(rank, dim, far);
        int[] at = grid.coordinates(rank);
        at[dim] += far;
        boolean isInside = at[dim] >= 0 && at[dim] < grid.dims()[dim];
        if (isInside || grid.periods()[dim]) {
          assertThat(shift.destination()).isEqualTo(grid.rank(at));
          assertThat(grid.shift(shift.destination(), dim, far).source()).isEqualTo(rank);
        } else {
          assertThat(shift.destination()).isEqualTo(Communicator.PROC_NULL);
          assertThatIllegalArgumentException().isThrownBy(() -> grid.rank(at));
        }
        assertThat(grid.shift(rank, dim, -far).destination()).isEqualTo(shift.source());
      }
    }
  }

  @Property
  void theSlicesOfAGridAreGridsThatShareNobody(
      @ForAll("grids") CartesianTopology grid, @ForAll @Size(4) boolean[] choice) {
    boolean[] remaining = Arrays.copyOf(choice, grid.dims().length);
    CartesianTopology part = grid.sub(remaining);
    Map<Integer, Set<Integer>> slices = new HashMap<>();
    for (int rank = 0; rank < grid.size(); rank++) {
      int slice = grid.slice(rank, remaining);
      int inside = grid.rankInSlice(rank, remaining);
      assertThat(slices.computeIfAbsent(slice, key -> new HashSet<>()).add(inside)).isTrue();
      assertThat(part.coordinates(inside)).isEqualTo(kept(grid.coordinates(rank), remaining));
    }
    assertThat(slices).hasSize(grid.size() / part.size());
    assertThat(slices.values()).allMatch(ranks -> ranks.size() == part.size());
  }

  private static int[] kept(int[] coordinates, boolean[] remaining) {
    List<Integer> kept = new ArrayList<>();
    for (int i = 0; i < coordinates.length; i++) {
      if (remaining[i]) {
        kept.add(coordinates[i]);
      }
    }
    return ints(kept);
  }

  /** Against all grids there are. */
  @Property
  void chosenDimensionsAreTheMostEven(
      @ForAll @IntRange(min = 1, max = 300) int processes,
      @ForAll @IntRange(min = 1, max = 4) int count) {
    List<int[]> all = new ArrayList<>();
    addAll(processes, processes, new int[count], 0, all);
    int[] best = all.stream().min(Arrays::compare).orElseThrow();
    assertThat(Dimensions.create(processes, new int[count])).isEqualTo(best);
  }

  private static void addAll(int product, int most, int[] chosen, int place, List<int[]> to) {
    if (place == chosen.length) {
      if (product == 1) {
        to.add(chosen.clone());
      }
      return;
    }
    for (int dim = 1; dim <= Math.min(product, most); dim++) {
      if (product % dim == 0) {
        chosen[place] = dim;
        addAll(product / dim, dim, chosen, place + 1, to);
      }
    }
  }

  /** The examples that the standard has, and the ends. */
  @Example
  void dimensionsThatAreGivenStay() {
    assertThat(Dimensions.create(6, 0, 0)).containsExactly(3, 2);
    assertThat(Dimensions.create(7, 0, 0)).containsExactly(7, 1);
    assertThat(Dimensions.create(6, 0, 3, 0)).containsExactly(2, 3, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Dimensions.create(7, 0, 3, 0))
        .withMessageContaining("7 processes")
        .withMessageContaining("[0, 3, 0]");
    assertThat(Dimensions.create(12, 3, 4)).containsExactly(3, 4);
    assertThat(Dimensions.create(1)).isEmpty();
    assertThat(Dimensions.create(2_147_483_647, 0, 0)).containsExactly(2_147_483_647, 1);
    assertThat(Dimensions.create(1 << 30, new int[30])).containsOnly(2);
    assertThatIllegalArgumentException().isThrownBy(() -> Dimensions.create(2));
    assertThatIllegalArgumentException().isThrownBy(() -> Dimensions.create(6, 5));
    assertThatIllegalArgumentException().isThrownBy(() -> Dimensions.create(6, -1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> Dimensions.create(0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> Dimensions.create(12, 3, 3));
  }

  @Example
  void graphsTellTheNeighboursOfEach() {
    GraphTopology graph = GraphTopology.of(new int[] {2, 3, 4, 6}, new int[] {1, 3, 0, 3, 0, 2});
    assertThat(graph.neighbours(0)).containsExactly(1, 3);
    assertThat(graph.neighbours(1)).containsExactly(0);
    assertThat(graph.neighbours(2)).containsExactly(3);
    assertThat(graph.neighbours(3)).containsExactly(0, 2);
    assertThat(graph.size()).isEqualTo(4);
    assertThatIllegalArgumentException().isThrownBy(() -> graph.neighbours(4));
  }

  @Example
  void whatIsNoGraphOrGridIsRefused() {
    int[] three = {0, 0, 0};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GraphTopology.of(new int[] {1, 0, 3}, three));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GraphTopology.of(new int[] {1, 2}, three));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GraphTopology.of(new int[] {3}, new int[] {0, 0, 1}));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CartesianTopology.of(new int[] {2}, new boolean[2]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CartesianTopology.of(three, new boolean[3]));
    CartesianTopology grid = CartesianTopology.of(new int[] {2, 3}, new boolean[2]);
    assertThatIllegalArgumentException().isThrownBy(() -> grid.coordinates(6));
    assertThatIllegalArgumentException().isThrownBy(() -> grid.rank(0));
    assertThatIllegalArgumentException().isThrownBy(() -> grid.shift(0, 2, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> grid.sub(true));
  }
}
