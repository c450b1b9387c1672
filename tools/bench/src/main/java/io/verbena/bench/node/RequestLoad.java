// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.Node;
import io.verbena.RequestTimeoutException;
import io.verbena.bench.control.Line;
import io.verbena.bench.plan.Limit;
import io.verbena.bench.verify.Window;
import java.time.Duration;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/** Blocking requests, one at a time in each thread; every round trip is timed. */
final class RequestLoad implements Load {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final Node node;
  private final int to;
  private final RecordFormat<?> format;
  private final RequestCounts counts;
  private final SendingThreads threads;
  private final Histogram[] roundTrips; // by thread
  private final long[] lost; // by thread
  private final long[] corrupted; // by thread

  RequestLoad(Node node, NodeTask task) {
    this.node = node;
    this.to = task.topology().destinationsOf(task.id()).getFirst();
    this.format = RecordFormat.ofSize(task.sizeBytes());
    this.counts = new RequestCounts(node, task);
    this.threads = new SendingThreads(task.threads());
    this.roundTrips = new Histogram[task.threads()];
    Arrays.setAll(roundTrips, thread -> Reports.newHistogram());
    this.lost = new long[task.threads()];
    this.corrupted = new long[task.threads()];
  }

  @Override
  public Line run(Limit limit) throws InterruptedException {
    long before = counts.sent();
    long startNs = System.nanoTime();
    long endNs = limit.nanos() == 0 ? Long.MAX_VALUE : startNs + limit.nanos();
    threads.run(thread -> request(thread, limit.messagesOf(thread, threads.count()), endNs));
    Window window = new Window(startNs, System.nanoTime(), counts.sent() - before);
    return report(before, window);
  }

  private Line report(long before, Window window) {
    Histogram all = Reports.newHistogram();
    for (Histogram ofThread : roundTrips) {
      all.add(ofThread);
      ofThread.reset();
    }
    Line report =
        counts.report(
            before, Arrays.stream(lost).sum(), Arrays.stream(corrupted).sum(), window, all);
    Arrays.fill(lost, 0);
    Arrays.fill(corrupted, 0);
    return report;
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
    long stamp = counts.next(thread);
    try {
      Record reply = node.request(to, format.make(stamp), format.type(), TIMEOUT);
      if (!format.isMessage(reply, stamp)) {
        corrupted[thread]++;
      }
    } catch (RequestTimeoutException e) {
      lost[thread]++;
    }
  }

  @Override
  public void close() {
    threads.close();
  }
}
