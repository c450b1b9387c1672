// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;

/** All operations by all algorithms, against what one thread computes. */
class CollectivesTest {

  private static final int MOST_RANKS = 9;

  /** About the limits of the table, of eager messages and of pieces; in elements of 8 bytes. */
  private static final int[] ELEMENTS = {
    0, 1, 2, 7, 8, 9, 100, 512, 513, 2048, 2049, 4095, 4097, 8192, 8193, 20_000
  };

  private static final Members[] MEMBERS = new Members[MOST_RANKS + 1];

  private static Members members(int ranks) {
    if (MEMBERS[ranks] == null) {
      MEMBERS[ranks] = new Members(ranks);
    }
    return MEMBERS[ranks];
  }

  @AfterContainer
  static void close() {
    for (Members each : MEMBERS) {
      if (each != null) {
        each.close();
      }
    }
  }

  /** Each pair by itself, with each number of members, around the limits that concern it. */
  @Example
  void everyAlgorithmOfEveryOperation() throws Exception {
    Random random = new Random(1);
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
      for (Operation operation : Operation.values()) {
        for (Algorithm algorithm : operation.algorithms()) {
          List<Plan> plans = new ArrayList<>();
          for (int elements : new int[] {0, 1, 8, 100, 4097, 9000}) {
            plans.add(Plan.of(operation, ranks, elements, random));
          }
          members(ranks).run(Choice.DEFAULTS.with(operation + ": " + algorithm), plans);
        }
      }
    }
  }

  /** Calls one behind the other, so that members are in different ones. */
  @Property(tries = 60)
  void callsInARow(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    int ranks = 1 + random.nextInt(MOST_RANKS);
    Choice choice = Choice.DEFAULTS.with(random.nextBoolean() ? "" : rules(random));
    List<Plan> plans = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Operation operation = any(random, List.of(Operation.values()));
      plans.add(Plan.of(operation, ranks, ELEMENTS[random.nextInt(ELEMENTS.length)], random));
    }
    members(ranks).run(choice, plans);
  }

  private static String rules(Random random) {
    return List.of(Operation.values()).stream()
        .map(operation -> operation + ": " + any(random, operation.algorithms()))
        .collect(Collectors.joining("; "));
  }

  private static <T> T any(Random random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** Sums of floating-point numbers depend on their order, which must be one for all. */
  @Example
  void allMembersGetTheSameBytesOfAnAllreduceAndGetThemAgain() throws Exception {
    for (Algorithm algorithm : Operation.ALLREDUCE.algorithms()) {
      Choice choice = Choice.DEFAULTS.with("allreduce: " + algorithm);
      for (int ranks : new int[] {3, 4, 7}) {
        List<List<Double>> results = new ArrayList<>(Collections.nCopies(2 * ranks, List.of()));
        members(ranks)
            .run(
                choice,
                (all, self) -> {
                  results.set(self, sum(all, self));
                  results.set(ranks + self, sum(all, self));
                });
        assertThat(results).as("%s of %d", algorithm, ranks).containsOnly(results.getFirst());
      }
    }
  }

  private static List<Double> sum(Collectives all, int self) throws InterruptedException {
    double[] sum = new Random(self).doubles(1000, -1, 1).toArray();
    all.allreduce(null, Layout.of(MemorySegment.ofArray(sum)), new DoubleSum());
    return Arrays.stream(sum).boxed().toList();
  }
}
