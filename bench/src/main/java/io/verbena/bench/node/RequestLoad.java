// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.Node;
import io.verbena.RequestTimeoutException;
import io.verbena.bench.control.Line;
import io.verbena.bench.message.StampFormat;
import io.verbena.bench.plan.Limit;
import io.verbena.bench.verify.Tally;
import io.verbena.bench.verify.Window;
import java.time.Duration;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/** Blocking requests, one at a time in each thread; every round trip is timed. */
final class RequestLoad implements Load {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final Node node;
  private final int to;
  private final RecordFormat format;
  private final StampFormat stamps;
  private final Histogram[] roundTrips; // by thread
  private final long[] sent; // by thread
  private final long[] lost; // by thread
  private final long[] corrupted; // by thread

  RequestLoad(Node node, NodeTask task) {
    this.node = node;
    this.to = task.topology().destinationsOf(task.id()).getFirst();
    this.format = RecordFormat.ofSize(task.sizeBytes());
    this.stamps = task.stampFormat();
    this.roundTrips = new Histogram[task.threads()];
    Arrays.setAll(roundTrips, thread -> Reports.newHistogram());
    this.sent = new long[task.threads()];
    this.lost = new long[task.threads()];
    this.corrupted = new long[task.threads()];
  }

  @Override
  public Line run(Limit limit) throws InterruptedException {
    long before = Arrays.stream(sent).sum();
    long startNs = System.nanoTime();
    long endNs = limit.nanos() == 0 ? Long.MAX_VALUE : startNs + limit.nanos();
    SendingThreads.run(
        sent.length, thread -> request(thread, limit.messagesOf(thread, sent.length), endNs));
    long requests = Arrays.stream(sent).sum() - before;
    Window window = new Window(startNs, System.nanoTime(), requests);
    return report(requests, window);
  }

  private Line report(long requests, Window window) {
    Tally tally =
        new Tally(requests, Arrays.stream(lost).sum(), 0, Arrays.stream(corrupted).sum(), 0);
    Histogram all = Reports.newHistogram();
    for (Histogram ofThread : roundTrips) {
      all.add(ofThread);
      ofThread.reset();
    }
    Arrays.fill(lost, 0);
    Arrays.fill(corrupted, 0);
    return Reports.received(tally, window)
        .with("to" + to, sent)
        .with("rtt", Reports.histogram(all));
  }

  private void request(int thread, long requests, long endNs) throws InterruptedException {
    Histogram histogram = roundTrips[thread];
    long startNs = System.nanoTime();
    for (long left = requests; left > 0 && startNs < endNs; left--) {
      roundTrip(thread);
      long nowNs = System.nanoTime();
      histogram.recordValue(Math.min(nowNs - startNs, Reports.MAX_RTT_NS));
      startNs = nowNs;
    }
  }

  private void roundTrip(int thread) throws InterruptedException {
    long stamp = stamps.stamp(thread, sent[thread]);
    sent[thread]++;
    try {
      Record reply = node.request(to, format.make(stamp), format.type(), TIMEOUT);
      if (!format.isMessage(reply, stamp)) {
        corrupted[thread]++;
      }
    } catch (RequestTimeoutException e) {
      lost[thread]++;
    }
  }
}
