// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.plan.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * What is to be compared, and how.
 *
 * @param workloads what is measured
 * @param sizes of message bodies; each is measured in new processes
 * @param seconds how long a round is
 * @param warmupSeconds how long the rounds before the first counted one take, where code is
 *     compiled while it runs
 * @param repeat how many pairs of rounds count
 */
public record Comparison(
    List<Workload> workloads,
    List<Integer> sizes,
    double seconds,
    double warmupSeconds,
    int repeat) {

  /** What compiled code needs to fill caches and open connections. */
  static final double NATIVE_WARMUP_SECONDS = 0.3;

  /** What starting and ending the processes of a contestant takes, roughly. */
  private static final double START_SECONDS = 1.5;

  /**
   * Checks that it can be measured.
   *
   * @throws IllegalArgumentException saying what to change
   */
  public Comparison {
    workloads = List.copyOf(workloads);
    sizes = List.copyOf(sizes);
    check(!workloads.isEmpty(), "at least one workload is needed");
    check(!sizes.isEmpty(), "at least one message size is needed");
    check(seconds > 0 && seconds <= 60, "a round takes more than 0 and at most 60 seconds");
    check(warmupSeconds >= 0 && warmupSeconds <= 600, "a warm-up takes 0 to 600 seconds");
    check(repeat >= 1 && repeat <= 100, "repeat = " + repeat + ": expected 1 to 100");
    for (int size : sizes) {
      check(size >= Long.BYTES, "peers are compared from 8 bytes on: --size 8");
      check(
          size == Long.BYTES || io.verbena.bench.message.Blob.payloadLength(size) >= 0,
          "no record has a body of just " + size + " bytes; choose another size");
    }
  }

  /** Every workload at every size. */
  public List<Contest> contests() {
    List<Contest> contests = new ArrayList<>();
    for (Workload workload : workloads) {
      sizes.forEach(size -> contests.add(new Contest(workload, size)));
    }
    return contests;
  }

  /** About how long one contestant takes in one contest. */
  double pairingSeconds() {
    return START_SECONDS + warmupSeconds + 2 * repeat * seconds;
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
