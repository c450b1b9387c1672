// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The experiments of the Ibdxnet paper as plans: throughput one way and both ways, round trips and
 * all-to-all, over sizes and sending threads. Large messages are fewer: from {@value
 * #HALVED_FROM_BYTES} bytes on every doubling of the size halves their number.
 *
 * @param sizes of message bodies
 * @param threads sending threads
 * @param allToAllNodes nodes that all send to each other
 * @param messages of a round, of small ones
 * @param requests of a round, of small ones
 * @param warmupSeconds before the first round
 * @param repeat rounds
 */
public record Matrix(
    List<Integer> sizes,
    List<Integer> threads,
    List<Integer> allToAllNodes,
    long messages,
    long requests,
    double warmupSeconds,
    int repeat) {

  private static final int HALVED_FROM_BYTES = 64;
  private static final int MIN_MESSAGES = 64;

  /** 1 B to 1 MiB in powers of two, 1 to 16 threads. */
  public static final Matrix FULL =
      new Matrix(
          powersOfTwo(1, 1 << 20),
          List.of(1, 2, 4, 8, 16),
          List.of(2, 3, 4),
          8_000_000,
          200_000,
          1,
          5);

  /** Two minutes. */
  public static final Matrix QUICK =
      new Matrix(
          List.of(8, 64, 1 << 10, 1 << 20), List.of(1, 4), List.of(3), 1_000_000, 20_000, 0.3, 3);

  /** The plans, each of one size; those of one workload, direction and number of threads follow. */
  public List<BenchPlan> plans(
      String transport, Map<String, String> settings, List<String> jvmOptions) {
    return builders().stream()
        .map(plan -> plan.transport(transport).settings(settings).jvmOptions(jvmOptions).build())
        .toList();
  }

  private List<BenchPlan.Builder> builders() {
    List<BenchPlan.Builder> plans = new ArrayList<>();
    for (Direction direction : Direction.values()) {
      for (int count : threads) {
        sizes.forEach(size -> plans.add(throughput(size, count, direction)));
      }
    }
    for (int count : threads) {
      sizes.stream()
          .filter(size -> size >= Long.BYTES) // smaller ones are not requests
          .forEach(size -> plans.add(latency(size, count)));
    }
    for (int nodes : allToAllNodes) {
      sizes.forEach(size -> plans.add(allToAll(size, nodes)));
    }
    return plans;
  }

  private BenchPlan.Builder throughput(int size, int count, Direction direction) {
    return plan(Workload.THROUGHPUT, size, messages).threads(count).direction(direction);
  }

  private BenchPlan.Builder latency(int size, int count) {
    return plan(Workload.LATENCY, size, requests).threads(count);
  }

  private BenchPlan.Builder allToAll(int size, int nodes) {
    return plan(Workload.ALLTOALL, size, messages / nodes).nodes(nodes);
  }

  private BenchPlan.Builder plan(Workload workload, int size, long ofSmallOnes) {
    return BenchPlan.builder(workload)
        .sizes(List.of(size))
        .limit(Limit.ofMessages(count(ofSmallOnes, size)))
        .warmupSeconds(warmupSeconds)
        .repeat(repeat);
  }

  /** How many messages of a size are sent. */
  static long count(long ofSmallOnes, int sizeBytes) {
    return Math.max(
        MIN_MESSAGES, ofSmallOnes * HALVED_FROM_BYTES / Math.max(HALVED_FROM_BYTES, sizeBytes));
  }

  private static List<Integer> powersOfTwo(int from, int to) {
    List<Integer> sizes = new ArrayList<>();
    for (int size = from; size <= to; size *= 2) {
      sizes.add(size);
    }
    return List.copyOf(sizes);
  }
}
