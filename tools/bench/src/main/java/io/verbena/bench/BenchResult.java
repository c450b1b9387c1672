// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.node.Reports;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.verify.Tally;
import java.util.List;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What the rounds of one message size gave: medians, and sums over nodes.
 *
 * @param plan what was measured
 * @param sizeBytes of message bodies
 * @param transport that carried them
 * @param transportReason why it was chosen
 * @param messages of all counted rounds
 * @param messagesPerSecond for requests: requests per second
 * @param roundTrips of each round; empty if there were no requests
 * @param percentiles of the round trips of all rounds; empty if there were too few
 * @param rounds how many there were
 * @param cpuSeconds of all processes, in one round
 * @param cpuPercent of one core, the busiest node
 * @param senderBytes heap allocated per message by nodes that send
 * @param receiverBytes heap allocated per message by nodes that only receive
 * @param tally of all rounds, those that connect and warm up included
 * @param memory what a connection costs; null unless the nodes were idle
 */
public record BenchResult(
    BenchPlan plan,
    int sizeBytes,
    String transport,
    String transportReason,
    long messages,
    Spread messagesPerSecond,
    List<RoundTrips> roundTrips,
    List<Percentile> percentiles,
    int rounds,
    Spread cpuSeconds,
    Spread cpuPercent,
    double senderBytes,
    double receiverBytes,
    Tally tally,
    @Nullable ConnectionMemory memory) {

  /**
   * Of rounds.
   *
   * @param before what became of the messages that connected the nodes and warmed them up
   */
  static BenchResult of(
      BenchPlan plan,
      int sizeBytes,
      String transport,
      String reason,
      Tally before,
      List<Round> rounds,
      @Nullable ConnectionMemory memory) {
    List<RoundTrips> roundTrips =
        rounds.stream().map(Round::roundTrips).filter(Objects::nonNull).toList();
    return new BenchResult(
        plan,
        sizeBytes,
        transport,
        reason,
        rounds.stream().mapToLong(Round::messages).sum(),
        Spread.of(rounds, Round::messagesPerSecond),
        roundTrips,
        Percentile.of(allRoundTrips(rounds)),
        rounds.size(),
        Spread.of(rounds, Round::cpuSeconds),
        Spread.of(rounds, Round::cpuPercent),
        Spread.of(rounds, Round::senderBytesPerMessage).median(),
        Spread.of(rounds, Round::receiverBytesPerMessage).median(),
        rounds.stream().map(Round::tally).reduce(before, Tally::plus),
        memory);
  }

  private static Histogram allRoundTrips(List<Round> rounds) {
    Histogram all = Reports.newHistogram();
    rounds.stream().map(Round::roundTripNs).filter(Objects::nonNull).forEach(all::add);
    return all;
  }

  /** Whether every planned round was made. */
  public boolean isComplete() {
    return rounds == plan.repeat();
  }

  /** Megabytes (10^6 bytes) of message bodies per second; for requests, in one direction. */
  public Spread megabytesPerSecond() {
    double megabytes = sizeBytes / 1e6;
    return new Spread(
        messagesPerSecond.min() * megabytes,
        messagesPerSecond.median() * megabytes,
        messagesPerSecond.max() * megabytes);
  }
}
