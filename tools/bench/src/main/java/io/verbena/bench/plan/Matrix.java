// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

import io.verbena.Execution;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * The experiments of the Ibdxnet paper as plans: throughput one way and both ways, round trips and
 * all-to-all, over sizes, sending threads and handler threads. Large messages are fewer: from
 * {@value #HALVED_FROM_BYTES} bytes on every doubling of the size halves their number.
 *
 * @param sizes of message bodies
 * @param threads sending threads
 * @param handlers where handlers run, of messages one way; all else is handled inline
 * @param allToAllSizes of message bodies between nodes that all send to each other
 * @param allToAllNodes how many of these nodes
 * @param messages of a round, of small ones
 * @param requests of a round, of small ones
 * @param warmupSeconds before the first round
 * @param repeat rounds
 */
public record Matrix(
    List<Integer> sizes,
    List<Integer> threads,
    List<Execution> handlers,
    List<Integer> allToAllSizes,
    List<Integer> allToAllNodes,
    long messages,
    long requests,
    double warmupSeconds,
    int repeat) {

  /** What part of the closed loop's rate an open loop is given, if no rate is asked for. */
  public static final double LOAD_SHARE = 0.5;

  private static final int HALVED_FROM_BYTES = 64;
  private static final int MIN_MESSAGES = 64;

  private static final List<Integer> ALL_SIZES = powersOfTwo(1, 1 << 20);

  /** 1 B to 1 MiB in powers of two, 1 to 16 threads, handlers inline and in 1 to 8 threads. */
  public static final Matrix FULL =
      new Matrix(
          ALL_SIZES,
          powersOfTwo(1, 16),
          List.of(
              Execution.inline(),
              Execution.pool(1),
              Execution.pool(2),
              Execution.pool(4),
              Execution.pool(8)),
          ALL_SIZES,
          powersOfTwo(2, 8),
          8_000_000,
          200_000,
          1,
          5);

  /** Two minutes for a system on two cores. */
  public static final Matrix QUICK =
      new Matrix(
          List.of(64, 1 << 10, 1 << 20),
          List.of(1, 4),
          List.of(Execution.inline(), Execution.pool(2)),
          List.of(64),
          powersOfTwo(2, 4),
          500_000,
          10_000,
          0.2,
          3);

  /**
   * The plans of a system but for its loads, each of one size; those of one workload, direction,
   * number of threads and place of handlers follow each other.
   */
  public List<BenchPlan> plans(SystemUnderTest system) {
    return builders().stream().map(plan -> plan.system(system).build()).toList();
  }

  /**
   * The plans of a system for requests at a fixed rate: one thread, whatever the replies do.
   *
   * @param ratePerSecond of a size
   */
  public List<BenchPlan> loads(SystemUnderTest system, IntToDoubleFunction ratePerSecond) {
    return requestSizes().stream()
        .map(size -> load(size, ratePerSecond.applyAsDouble(size)))
        .map(plan -> plan.system(system).build())
        .toList();
  }

  private List<BenchPlan.Builder> builders() {
    List<BenchPlan.Builder> plans = new ArrayList<>();
    for (Execution place : handlers) {
      for (int count : threads) {
        sizes.forEach(size -> plans.add(throughput(size, count, Direction.UNI).handlers(place)));
      }
    }
    for (int count : threads) {
      sizes.forEach(size -> plans.add(throughput(size, count, Direction.BI)));
    }
    for (int count : threads) {
      requestSizes().forEach(size -> plans.add(latency(size, count)));
    }
    for (int nodes : allToAllNodes) {
      allToAllSizes.forEach(size -> plans.add(allToAll(size, nodes)));
    }
    return plans;
  }

  /** Smaller messages are not requests. */
  private List<Integer> requestSizes() {
    return sizes.stream().filter(size -> size >= Long.BYTES).toList();
  }

  private BenchPlan.Builder throughput(int size, int count, Direction direction) {
    return plan(Workload.THROUGHPUT, size, messages).threads(count).direction(direction);
  }

  private BenchPlan.Builder latency(int size, int count) {
    return plan(Workload.LATENCY, size, requests).threads(count);
  }

  private BenchPlan.Builder load(int size, double ratePerSecond) {
    return plan(Workload.LOAD, size, requests).ratePerSecond(ratePerSecond);
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
    List<Integer> powers = new ArrayList<>();
    for (int power = from; power <= to; power *= 2) {
      powers.add(power);
    }
    return List.copyOf(powers);
  }
}
