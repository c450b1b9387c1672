// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.verify.Tally;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What one round gave.
 *
 * @param messages sent by all nodes; requests count once
 * @param messagesPerSecond taken by all nodes, from the first to the last one; requests per second
 * @param tally what became of them
 * @param roundTripNs every round trip; null if there were no requests
 * @param cpuSeconds processor time of all node processes
 * @param sentBytes heap memory allocated by the nodes that send
 * @param receivedBytes heap memory allocated by the nodes that only receive
 * @param cpuPercent the busiest node's processor time, in percent of one core's
 */
public record Round(
    long messages,
    double messagesPerSecond,
    Tally tally,
    @Nullable Histogram roundTripNs,
    double cpuSeconds,
    long sentBytes,
    long receivedBytes,
    double cpuPercent) {

  /** The figures of the round trips; null if there were no requests. */
  public @Nullable RoundTrips roundTrips() {
    return roundTripNs == null ? null : RoundTrips.of(roundTripNs);
  }

  Round withCpuPercent(double percent) {
    return new Round(
        messages,
        messagesPerSecond,
        tally,
        roundTripNs,
        cpuSeconds,
        sentBytes,
        receivedBytes,
        percent);
  }

  double senderBytesPerMessage() {
    return messages == 0 ? 0 : (double) sentBytes / messages;
  }

  double receiverBytesPerMessage() {
    return messages == 0 ? 0 : (double) receivedBytes / messages;
  }
}
