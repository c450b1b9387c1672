// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.RoundTrips;
import io.verbena.bench.Spread;
import io.verbena.bench.compare.contest.Contest;
import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.verify.Tally;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of a contestant in one contest, each with the round of Verbena next to it.
 *
 * @param contest workload and size
 * @param contestant its name
 * @param baseline the name of the Verbena it is compared with; its own for Verbena itself
 * @param samples of the counted rounds
 * @param baselineSamples of the rounds they are paired with; empty for the baseline itself
 * @param warmUp the rounds before, of which only the judgement counts
 * @param baselineWarmUp those of the baseline it is paired with; none for the baseline itself
 * @param unpaired what became of the messages of rounds without a partner
 */
public record Pairing(
    Contest contest,
    String contestant,
    String baseline,
    List<Sample> samples,
    List<Sample> baselineSamples,
    WarmUp warmUp,
    WarmUp baselineWarmUp,
    Tally unpaired) {

  /** A round with less than this part of the median speed is shown as a slow one. */
  public static final double SLOW = 0.6;

  /** Processors are far apart if a word takes this many times as long as usual between them. */
  static final double FAR = 1.5;

  /** Checks that the rounds are paired. */
  public Pairing {
    samples = List.copyOf(samples);
    baselineSamples = List.copyOf(baselineSamples);
    if (!baselineSamples.isEmpty() && baselineSamples.size() != samples.size()) {
      throw new IllegalArgumentException(
          baselineSamples.size() + " rounds of the baseline for " + samples.size());
    }
  }

  /** Whether it is the baseline's own line. */
  public boolean isBaseline() {
    return baselineSamples.isEmpty();
  }

  /** The ratio of each pair, contestant to baseline: of rates, or of round trips. */
  public List<Double> ratios() {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < baselineSamples.size(); i++) {
      ratios.add(samples.get(i).figure() / baselineSamples.get(i).figure());
    }
    return ratios;
  }

  /** The median of the ratios and how far they lie apart; null for the baseline. */
  public @Nullable Spread ratio() {
    return isBaseline() ? null : Spread.of(ratios(), Double::doubleValue);
  }

  /** What the ratios say together; null for the baseline. */
  public @Nullable Verdict verdict() {
    if (isBaseline()) {
      return null;
    }
    Verdict verdict = Verdict.of(ratios(), !contest.hasReplies());
    String objection = objection();
    return objection.isEmpty() ? verdict : Verdict.none(verdict.interval(), objection);
  }

  /** Why no verdict can stand on these rounds, whatever they say; empty if one can. */
  private String objection() {
    if (!tally().plus(baselineTally()).isClean()) {
      return "a system that loses, repeats, changes or reorders no message";
    }
    if (!warmUp.isWarm() || !baselineWarmUp.isWarm()) {
      String who = warmUp.isWarm() ? baseline : contestant;
      double seconds = warmUp.isWarm() ? baselineWarmUp.seconds() : warmUp.seconds();
      return "more time to warm up: compilers of %s were at work after %.0f s (--warmup, fewer rows)"
          .formatted(who, seconds);
    }
    return "";
  }

  /** The slowest round's speed as a part of the median one's. */
  public double slowest() {
    Spread speed = Spread.of(samples, Sample::speed);
    return speed.median() == 0 ? 0 : speed.min() / speed.median();
  }

  /** How many rounds had less than {@link #SLOW} of the median speed. */
  public long slowRounds() {
    return slow().size();
  }

  /** Before how many of these the processors were farther apart than before most others. */
  public long slowRoundsOfFarCores() {
    double usual = Spread.of(samples, Sample::coresNs).median();
    return slow().stream().filter(sample -> sample.coresNs() > FAR * usual).count();
  }

  private List<Sample> slow() {
    double median = Spread.of(samples, Sample::speed).median();
    return samples.stream().filter(sample -> sample.speed() < SLOW * median).toList();
  }

  /** Messages or requests per second. */
  public Spread messagesPerSecond() {
    return Spread.of(samples, Sample::messagesPerSecond);
  }

  /** Megabytes (10^6 bytes) of message bodies per second. */
  public Spread megabytesPerSecond() {
    double megabytes = contest.sizeBytes() / 1e6;
    return Spread.of(samples, sample -> sample.messagesPerSecond() * megabytes);
  }

  /** Processor time of all processes in a round. */
  public Spread cpuSeconds() {
    return Spread.of(samples, Sample::cpuSeconds);
  }

  /** The figures of each round's round trips; empty if there were none. */
  public List<RoundTrips> roundTrips() {
    List<RoundTrips> ofRounds = new ArrayList<>();
    for (Sample sample : samples) {
      RoundTrips ns = sample.roundTrips();
      if (ns != null) {
        ofRounds.add(ns);
      }
    }
    return ofRounds;
  }

  /** The spread of the rounds' median round trips; null if there were none. */
  public @Nullable Spread medianRoundTripNs() {
    return contest.hasReplies() ? Spread.of(samples, Sample::figure) : null;
  }

  /** Whether more is known of the round trips than one figure a round, told by the peer. */
  public boolean hasDistribution() {
    Histogram all = allRoundTrips();
    return all != null && all.getTotalCount() > samples.size();
  }

  /** All round trips of all rounds; null if there were none. */
  public @Nullable Histogram allRoundTrips() {
    Histogram all = null;
    for (Sample sample : samples) {
      if (sample.roundTripNs() != null) {
        all = all == null ? new Histogram(3) : all;
        all.setAutoResize(true);
        all.add(sample.roundTripNs());
      }
    }
    return all;
  }

  /** Messages of the counted rounds. */
  public long messages() {
    return samples.stream().mapToLong(Sample::messages).sum();
  }

  /** What became of all messages, those of the warm-up and of rounds alone included. */
  public Tally tally() {
    return all(samples, warmUp).plus(unpaired);
  }

  /** The same of the baseline's messages that this line rests on. */
  private Tally baselineTally() {
    return all(baselineSamples, baselineWarmUp);
  }

  private static Tally all(List<Sample> samples, WarmUp warmUp) {
    return samples.stream().map(Sample::tally).reduce(warmUp.tally(), Tally::plus);
  }
}
