// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.Node;
import io.verbena.bench.control.Line;
import io.verbena.bench.message.StampFormat;
import io.verbena.bench.verify.Tally;
import io.verbena.bench.verify.Window;
import java.util.Arrays;
import java.util.Objects;
import org.HdrHistogram.Histogram;

/** Counts a node's requests, gives each its stamp, and reports a round of them. */
final class RequestCounts {

  private final Node node;
  private final int to;
  private final StampFormat stamps;
  private final long[] sent; // by thread, ever
  private long lateReplies;

  RequestCounts(Node node, NodeTask task) {
    this.node = node;
    this.to = task.topology().destinationsOf(task.id()).getFirst();
    this.stamps = task.stampFormat();
    this.sent = new long[task.threads()];
  }

  /** The stamp of a thread's next request. */
  long next(int thread) {
    return stamps.stamp(thread, sent[thread]++);
  }

  /** How many requests there were ever; while no thread sends. */
  long sent() {
    return Arrays.stream(sent).sum();
  }

  /** The report of a round. */
  Line report(long sentBefore, long lost, long corrupted, Window window, Histogram roundTrips) {
    long repeated = Math.max(0, repliesWithoutRequest() - lost);
    Tally tally = new Tally(sent() - sentBefore, lost, repeated, corrupted, 0);
    return Reports.received(tally, window)
        .with("to" + to, sent)
        .with("rtt", Reports.histogram(roundTrips));
  }

  /** A reply that came twice met its request once; one that came too late is counted as lost. */
  private long repliesWithoutRequest() {
    long ever = Objects.requireNonNullElse(node.metrics().snapshot().get("replies.late"), 0L);
    long now = ever - lateReplies;
    lateReplies = ever;
    return now;
  }
}
