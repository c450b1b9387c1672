// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.compare.contest.RunningContestant;
import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.verify.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/** One contestant in a match: its warm-up, and its rounds with and without a partner. */
final class Side {

  private static final DoubleSupplier CLOCK = () -> System.nanoTime() / 1e9;

  private final String name;
  private final RunningContestant running;
  private final double roundSeconds;
  private final DoubleSupplier coresNs;
  private final List<Sample> paired = new ArrayList<>();
  private final List<Sample> unpaired = new ArrayList<>();
  private WarmUp warmUp;

  /**
   * Of a contestant.
   *
   * @param coresNs tells how far apart processors are
   */
  Side(String name, RunningContestant running, double roundSeconds, DoubleSupplier coresNs) {
    this.name = name;
    this.coresNs = coresNs;
    this.running = running;
    this.roundSeconds = roundSeconds;
    this.warmUp = new WarmUp(running.connecting(), WarmUp.Warmth.COLD, 0);
  }

  /**
   * Warms it up. Until that is over its rounds are some without a partner, like any other.
   *
   * @throws BenchException if a process fails; it tells what has gone wrong with messages so far
   */
  void warmUp(double mostSeconds) throws InterruptedException {
    try {
      warmUp = WarmUp.of(running, roundSeconds, mostSeconds, CLOCK, unpaired::add);
      unpaired.clear();
    } catch (BenchException e) {
      throw new BenchException(e.getMessage() + wrongs());
    }
  }

  String name() {
    return name;
  }

  WarmUp warmUp() {
    return warmUp;
  }

  /** The rounds that count. */
  List<Sample> paired() {
    return paired;
  }

  /** What became of the messages of rounds that have no partner. */
  Tally unpairedTally() {
    return unpaired.stream().map(Sample::tally).reduce(Tally.NONE, Tally::plus);
  }

  /** What became of all its messages so far. */
  Tally tally() {
    Tally counted = paired.stream().map(Sample::tally).reduce(warmUp.tally(), Tally::plus);
    return counted.plus(unpairedTally());
  }

  /**
   * Runs a round, which has no partner yet.
   *
   * @throws BenchException if a process fails, or nothing could be timed; it tells what has gone
   *     wrong with messages so far
   */
  Sample round() throws InterruptedException {
    Sample sample;
    try {
      double apartNs = coresNs.getAsDouble();
      sample = running.round(Math.round(roundSeconds * 1e9)).withCoresNs(apartNs);
    } catch (BenchException e) {
      throw new BenchException(e.getMessage() + wrongs());
    }
    unpaired.add(sample);
    if (!(sample.figure() > 0)) {
      String text = "of %d messages in a round too few came to be timed%s";
      // A longer round mends nothing where messages are lost.
      String remedy = tally().isClean() ? ": more --seconds" : wrongs();
      throw new BenchException(text.formatted(sample.messages(), remedy));
    }
    return sample;
  }

  /** The round has its partner, or needs none. */
  void count(Sample sample) {
    unpaired.remove(sample);
    paired.add(sample);
  }

  private String wrongs() {
    return tally().isClean() ? "" : "; so far " + tally().wrongs();
  }
}
