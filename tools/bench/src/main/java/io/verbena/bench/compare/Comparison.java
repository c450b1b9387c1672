// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.compare.contest.Contest;
import io.verbena.bench.message.Blob;
import io.verbena.bench.plan.Check;
import io.verbena.bench.plan.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What is to be compared, and how.
 *
 * @param workloads what is measured
 * @param sizes of message bodies; each is measured in new processes
 * @param seconds how long a round is
 * @param warmupSeconds how long the rounds before the first counted one take at the most; they end
 *     when compilers are done and two in a row agree
 * @param repeat how many pairs of rounds count
 * @param budgetSeconds how long everything may take: warm-ups are cut to fit, and contestants that
 *     still do not are left out; infinite for no limit
 */
public record Comparison(
    List<Workload> workloads,
    List<Integer> sizes,
    double seconds,
    double warmupSeconds,
    int repeat,
    double budgetSeconds) {

  /** The sizes of records that are a stamp and nothing else. */
  private static final Set<Integer> TINY_SIZES = Set.of(1, 2, 4, 8);

  /** What starting and ending the processes of a contestant takes, roughly. */
  private static final double START_SECONDS = 1.3;

  /**
   * What a round takes beyond its time: the last messages, a look for those that come twice, and
   * one at processors and compilers.
   */
  private static final double ROUND_END_SECONDS = 0.06;

  /** A warm-up that is long enough for most. */
  private static final double USUAL_WARMUP_SECONDS = 5;

  /** A JVM that is not warm by then has hardly got a processor to compile on. */
  private static final double LEAST_WARMUP_SECONDS = 6;

  /**
   * Checks that it can be measured.
   *
   * @throws IllegalArgumentException saying what to change
   */
  public Comparison {
    workloads = List.copyOf(workloads);
    sizes = List.copyOf(sizes);
    Check.that(!workloads.isEmpty(), "at least one workload is needed");
    Check.that(!sizes.isEmpty(), "at least one message size is needed");
    Check.that(seconds > 0 && seconds <= 60, "a round takes more than 0 and at most 60 seconds");
    Check.that(warmupSeconds >= 0 && warmupSeconds <= 600, "a warm-up takes 0 to 600 seconds");
    Check.that(repeat >= 1 && repeat <= 1000, "repeat = " + repeat + ": expected 1 to 1000");
    Check.that(budgetSeconds > 0, "a comparison takes more than 0 minutes");
    Check.that(
        workloads.contains(Workload.THROUGHPUT) || sizes.stream().anyMatch(Comparison::hasRequests),
        "requests are checked from 8 bytes on: --size 8");
    for (int size : sizes) {
      Check.that(
          TINY_SIZES.contains(size) || Blob.payloadLength(size) >= 0,
          "no record has a body of just " + size + " bytes; choose another size");
    }
  }

  /** Every workload at every size it has. */
  public List<Contest> contests() {
    List<Contest> contests = new ArrayList<>();
    for (Workload workload : workloads) {
      for (int size : sizes) {
        if (!workload.hasReplies() || hasRequests(size)) {
          contests.add(new Contest(workload, size));
        }
      }
    }
    return contests;
  }

  /** A request has a whole stamp: an answer is to be told from all others. */
  private static boolean hasRequests(int size) {
    return size >= Long.BYTES;
  }

  /** About how long one contestant takes in one contest. */
  double pairingSeconds() {
    return countedSeconds() + Math.min(warmupSeconds, USUAL_WARMUP_SECONDS);
  }

  /** The same without the warm-up. */
  double countedSeconds() {
    return START_SECONDS + 2 * repeat * (seconds + ROUND_END_SECONDS);
  }

  /** What a baseline takes before its warm-up: its counted rounds are in those of the others. */
  double baselineSeconds() {
    return START_SECONDS;
  }

  /** With less nobody is measured who could be cold: he is left out instead. */
  double leastWarmUpSeconds() {
    return Math.min(warmupSeconds, LEAST_WARMUP_SECONDS);
  }
}
