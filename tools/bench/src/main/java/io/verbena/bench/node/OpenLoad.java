// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.Node;
import io.verbena.bench.control.Line;
import io.verbena.bench.plan.Limit;
import io.verbena.bench.verify.Window;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Requests at a fixed rate, whether or not the replies keep up. Each has a time at which it is
 * meant to be sent, and its round trip is counted from that time: so what waits behind a slow one
 * counts as slow too, and no delay of the sender is left out.
 */
final class OpenLoad implements Load {

  /** As many requests may be open; the next one waits, and its time runs. Under requests.max. */
  private static final int MAX_OPEN = 8192;

  /** Sleeping shorter than this is not to be had. */
  private static final long SLEEP_FROM_NS = 150_000;

  private static final long SLEEP_SLACK_NS = 80_000;
  private static final long DRAIN_SECONDS = 15; // longer than requests live

  private final RequestCounts counts;
  private final SendingThreads threads;
  private final Node node;
  private final int to;
  private final RecordFormat<?> format;
  private final double ratePerThread;
  private final Semaphore open = new Semaphore(MAX_OPEN);
  private final Histogram roundTrips = new ConcurrentHistogram(1, Reports.MAX_RTT_NS, 3);
  private final LongAdder lost = new LongAdder();
  private final LongAdder corrupted = new LongAdder();

  OpenLoad(Node node, NodeTask task) {
    this.node = node;
    this.to = task.topology().destinationsOf(task.id()).getFirst();
    this.format = RecordFormat.ofSize(task.sizeBytes());
    this.ratePerThread = task.ratePerSecond() / task.threads();
    this.counts = new RequestCounts(node, task);
    this.threads = new SendingThreads(task.threads());
  }

  @Override
  public Line run(Limit limit) throws InterruptedException {
    long before = counts.sent();
    long startNs = System.nanoTime();
    threads.run(thread -> send(thread, requestsOf(thread, threads.count(), limit), startNs));
    drain();
    Window window = new Window(startNs, System.nanoTime(), counts.sent() - before);
    Line report =
        counts.report(before, lost.sumThenReset(), corrupted.sumThenReset(), window, roundTrips);
    roundTrips.reset();
    return report;
  }

  /** At least one: a round without any has no end that could be told. */
  private long requestsOf(int thread, int threads, Limit limit) {
    return limit.messages() > 0
        ? limit.messagesOf(thread, threads)
        : Math.max(1, Math.round(ratePerThread * limit.nanos() / 1e9));
  }

  private void send(int thread, long requests, long startNs) throws InterruptedException {
    double intervalNs = 1e9 / ratePerThread;
    // Threads take turns, so that together they send evenly.
    double firstNs = startNs + intervalNs * thread / threads.count();
    for (long i = 0; i < requests; i++) {
      long intendedNs = (long) (firstNs + i * intervalNs);
      awaitTime(intendedNs);
      open.acquire();
      request(counts.next(thread), intendedNs);
    }
  }

  private static void awaitTime(long atNs) throws InterruptedException {
    for (long left = atNs - System.nanoTime(); left > 0; left = atNs - System.nanoTime()) {
      if (left > SLEEP_FROM_NS) {
        LockSupport.parkNanos(left - SLEEP_SLACK_NS);
      } else {
        Thread.onSpinWait();
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private void request(long stamp, long intendedNs) {
    node.requestAsync(to, format.make(stamp), format.type())
        .whenComplete((reply, failure) -> completed(stamp, intendedNs, reply));
  }

  /** By the thread that receives. */
  private void completed(long stamp, long intendedNs, @Nullable Record reply) {
    if (reply == null) {
      lost.increment();
    } else {
      if (!format.isMessage(reply, stamp)) {
        corrupted.increment();
      }
      long roundTripNs = System.nanoTime() - intendedNs;
      roundTrips.recordValue(Math.clamp(roundTripNs, 1, Reports.MAX_RTT_NS));
    }
    open.release();
  }

  private void drain() throws InterruptedException {
    if (open.tryAcquire(MAX_OPEN, DRAIN_SECONDS, TimeUnit.SECONDS)) {
      open.release(MAX_OPEN);
    } else {
      throw new IllegalStateException(
          (MAX_OPEN - open.availablePermits()) + " requests are neither answered nor failed");
    }
  }

  @Override
  public void close() {
    threads.close();
  }
}
