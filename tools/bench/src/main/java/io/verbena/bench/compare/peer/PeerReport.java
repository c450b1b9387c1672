// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.peer;

import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.control.Line;
import io.verbena.bench.node.Reports;
import io.verbena.bench.plan.Check;
import io.verbena.bench.verify.Tally;
import io.verbena.bench.verify.Window;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads what peers report of a round; tools/bench/peers/README.md tells the fields. */
final class PeerReport {

  private PeerReport() {}

  /**
   * What a round gave.
   *
   * @throws IllegalArgumentException or a JacksonException if a report is not what it should be
   */
  static Sample sample(
      Line sent, Line received, boolean hasReplies, double cpuSeconds, double compilerSeconds) {
    Tally tally = Reports.tally(received);
    if (hasReplies) {
      tally = tally.plus(new Tally(0, 0, 0, Reports.count(sent, "corrupted"), 0));
    }
    // One way it is the receiver's clock that counts; of round trips, the one who asked.
    Window window = Reports.window(hasReplies ? sent : received);
    @Nullable Histogram roundTrips = hasReplies ? histogram(sent.text("rtt")) : null;
    return new Sample(
        tally.expected(),
        window.messagesPerSecond(),
        tally,
        roundTrips,
        cpuSeconds,
        compilerSeconds,
        0);
  }

  /** Pairs of a time in nanoseconds and how many took it. */
  private static Histogram histogram(String pairs) {
    Histogram histogram = Reports.newHistogram();
    for (JsonNode pair : JsonMapper.shared().readTree(pairs)) {
      long ns = Math.clamp(pair.required(0).asLong(), 1, Reports.MAX_RTT_NS);
      long count = pair.required(1).asLong();
      Check.that(count > 0, "a round trip was seen " + count + " times");
      histogram.recordValueWithCount(ns, count);
    }
    return histogram;
  }
}
