// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.compare.contest.Contest;
import io.verbena.bench.compare.contest.Contestant;
import io.verbena.bench.compare.contest.RunningContestant.Description;
import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.verify.Tally;
import java.util.List;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/** Outcomes made up for tests. */
public final class Outcomes {

  static final Contest ONE_WAY = new Contest(Workload.THROUGHPUT, 64);
  static final Contest ROUND_TRIPS = new Contest(Workload.LATENCY, 64);

  static final WarmUp STEADY = new WarmUp(new Tally(7, 0, 0, 0, 0), WarmUp.Warmth.SETTLED, 0.1);

  private Outcomes() {}

  static Sample rate(double messagesPerSecond) {
    return rate(messagesPerSecond, 1000);
  }

  /** Of a thousand messages so many arrive. */
  static Sample rate(double messagesPerSecond, long arrived) {
    Tally tally = new Tally(1000, 1000 - arrived, 0, 0, 0);
    return new Sample(1000, messagesPerSecond, tally, null, 0.5, 0, 100);
  }

  static Sample roundTrips(long ns) {
    Histogram histogram = new Histogram(3);
    for (int i = 0; i < 10_000; i++) {
      histogram.recordValue(ns + ns * i / 5000);
    }
    return new Sample(10_000, 1e9 / ns, new Tally(10_000, 0, 0, 0, 0), histogram, 0.5, 0, 100);
  }

  static Pairing pairing(double[] mine, double[] theirs) {
    return pairing(samples(theirs), samples(mine), STEADY, STEADY);
  }

  static Pairing pairing(
      List<Sample> samples, List<Sample> baselineSamples, WarmUp warmUp, WarmUp baselineWarmUp) {
    return new Pairing(
        ONE_WAY,
        "peer",
        "verbena",
        samples,
        baselineSamples,
        warmUp,
        baselineWarmUp,
        new Tally(11, 0, 0, 0, 0));
  }

  private static List<Sample> samples(double[] rates) {
    return DoubleStream.of(rates).mapToObj(Outcomes::rate).toList();
  }

  /** Both workloads at three sizes, with Verbena and three peers, one of them unchecked. */
  public static Outcome full() {
    Outcome outcome = new Outcome();
    List<String> names = List.of("verbena-shm", "one-ipc", "two-ipc", "three-shm");
    for (Workload workload : List.of(Workload.THROUGHPUT, Workload.LATENCY)) {
      for (int size : List.of(64, 1024, 65_536)) {
        for (int i = 0; i < names.size(); i++) {
          add(outcome, new Contest(workload, size), names.get(i), i + 1);
        }
      }
    }
    outcome.add(new Skipped("absent", "what it needs is not installed", "apt-get install absent"));
    outcome.complete();
    return outcome;
  }

  private static void add(Outcome outcome, Contest contest, String name, int place) {
    Contestant contestant = new FakeContestant(name);
    boolean isChecked = place < 4;
    Description description = new Description(name + " 1.0", "as it comes", isChecked, true);
    outcome.describe(contestant, contest.workload(), description);
    List<Sample> samples =
        DoubleStream.of(1, 1.2, 0.9, 1, 1.1, 1)
            .mapToObj(noise -> sample(contest, place * noise))
            .toList();
    List<Sample> baseline =
        place == 1
            ? List.of()
            : DoubleStream.of(1, 1.2, 0.9, 1, 1.1, 1)
                .mapToObj(noise -> sample(contest, noise))
                .toList();
    outcome.add(
        new Pairing(contest, name, "verbena-shm", samples, baseline, STEADY, STEADY, Tally.NONE));
  }

  private static Sample sample(Contest contest, double slowness) {
    return contest.hasReplies()
        ? roundTrips(Math.round(500 * slowness + contest.sizeBytes() / 10.0))
        : rate(2e7 / slowness / (1 + contest.sizeBytes() / 1000.0));
  }
}
