// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers;

import io.verbena.bench.message.StampFormat;
import java.util.StringJoiner;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Requests of one round, one at a time; every round trip is timed. */
public final class RequestRound {

  private static final long MAX_RTT_NS = 60_000_000_000L;

  private final StampFormat stamps;
  private final long durationNs;
  private final long before;
  private final Histogram roundTrips = new Histogram(1, MAX_RTT_NS, 3);
  private final long startNs = System.nanoTime();
  private long nowNs = startNs;
  private long sent;
  private long corrupted;

  /**
   * @param sent how many requests were sent before this round
   */
  RequestRound(StampFormat stamps, long durationNs, long sent) {
    this.stamps = stamps;
    this.durationNs = durationNs;
    this.before = sent;
    this.sent = sent;
  }

  /** Whether there is time for another request. */
  public boolean goesOn() {
    return nowNs - startNs < durationNs;
  }

  /** The stamp of the next request. */
  public long nextStamp() {
    return stamps.stamp(0, sent++);
  }

  /** The last request has its answer. */
  public void answered(boolean isIntact) {
    long afterNs = System.nanoTime();
    roundTrips.recordValue(Math.min(afterNs - nowNs, MAX_RTT_NS));
    nowNs = afterNs;
    corrupted += isIntact ? 0 : 1;
  }

  long sent() {
    return sent;
  }

  String report() {
    return "\"messages\":%d,\"corrupted\":%d,\"first_ns\":%d,\"last_ns\":%d,\"timed\":%d,\"rtt\":%s"
        .formatted(sent, corrupted, startNs, nowNs, sent - before, pairs());
  }

  private String pairs() {
    StringJoiner pairs = new StringJoiner(",", "[", "]");
    for (HistogramIterationValue value : roundTrips.recordedValues()) {
      long count = value.getCountAddedInThisIterationStep();
      pairs.add("[" + value.getValueIteratedTo() + "," + count + "]");
    }
    return pairs.toString();
  }
}
