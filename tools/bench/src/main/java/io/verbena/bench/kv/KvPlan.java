// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

import java.nio.file.Path;
import java.util.List;

/**
 * What is measured, and how much of it.
 *
 * @param mixes of sizes
 * @param workloads in the order in which they follow each other
 * @param pairs how often each engine gets its turn
 * @param threads that use it
 * @param dataBytes keys and values of {@link Workload#LOAD}; caches have a quarter of it
 * @param seconds that each of the others takes
 * @param rate operations a second of {@link Workload#PACED}
 * @param sync whether a write waits until it is on the disk
 * @param place a folder on a disk
 */
public record KvPlan(
    List<Mix> mixes,
    List<Workload> workloads,
    int pairs,
    int threads,
    long dataBytes,
    double seconds,
    int rate,
    boolean sync,
    Path place) {

  private static final long LEAST_DATA = 8 << 20;
  private static final long MOST_DATA = 1L << 40;
  private static final int MOST_PAIRS = 1000;
  private static final int MOST_THREADS = 1024;
  private static final int MOST_RATE = 100_000_000;
  private static final double MOST_SECONDS = 3600;

  /** Checks it. Workloads come in an order of their own, and a load before all others. */
  public KvPlan {
    mixes = List.copyOf(mixes);
    workloads = workloads.stream().distinct().sorted().toList();
    place = place.toAbsolutePath();
    check(!mixes.isEmpty(), "no --mix");
    check(!workloads.isEmpty(), "no --workload");
    check("--pairs", pairs, 1, MOST_PAIRS);
    check("--threads", threads, 1, MOST_THREADS);
    check("--data", dataBytes, LEAST_DATA, MOST_DATA);
    check("--rate", rate, 1, MOST_RATE);
    check(
        seconds > 0 && seconds <= MOST_SECONDS,
        "--seconds " + seconds + ": expected more than 0, up to " + MOST_SECONDS);
  }

  private static void check(String option, long value, long least, long most) {
    check(
        value >= least && value <= most,
        "%s %d: expected %d to %d".formatted(option, value, least, most));
  }

  private static void check(boolean isGood, String otherwise) {
    if (!isGood) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
