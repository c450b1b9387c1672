// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.transport.ProgressLoop;
import io.verbena.transport.TransportContext;
import io.verbena.transport.rdma.internal.Arrivals;
import io.verbena.transport.rdma.internal.Endpoint;
import io.verbena.transport.rdma.internal.News;
import io.verbena.transport.replica.PacedWriter;
import io.verbena.transport.replica.PacedWriter.RoundHost;
import io.verbena.transport.replica.RoundEnds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Receives on all links of a node by one call of the library each round, and looks after what
 * senders leave to it. Only links with something to do cost anything.
 */
final class RdmaLoop extends ProgressLoop implements RoundHost {

  /** Reports that nobody waits for go out with those that somebody does, or after this time. */
  private static final long REPORT_NS = 1_000_000;

  /** While all writers wait for the library: hardly ever is there something to find. */
  private static final long BLOCKED_LOOK_NS = 1_000_000;

  /** Rounds from one look at the clock to the next; one that delivers counts for more. */
  private static final int ROUNDS_TO_CLOCK = 16;

  private static final int DELIVERY = 4;

  private final RdmaTransport transport;
  private final Endpoint endpoint;

  private final ConcurrentLinkedQueue<RdmaLink> started = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<PacedWriter> newBursts = new ConcurrentLinkedQueue<>();
  private boolean ended; // guarded by started
  private volatile boolean asleep;
  private final AtomicBoolean wakeRequested = new AtomicBoolean();
  private volatile @Nullable Thread roundThread;

  // By the role's holder.
  private final Map<Long, RdmaLink> links = new HashMap<>();
  private @Nullable RdmaLink lastLink;
  private long lastId;
  private List<RdmaLink> toDeliver = new ArrayList<>();
  private List<RdmaLink> delivering = new ArrayList<>();
  private final List<RdmaLink> paused = new ArrayList<>();
  private final RoundEnds roundEnds = new RoundEnds();
  private final List<RdmaLink> toReport = new ArrayList<>();
  private final List<PacedWriter> bursts = new ArrayList<>();
  private long reportsWaitSinceNs;
  private int roundsToClock;

  RdmaLoop(TransportContext context, RdmaTransport transport, Endpoint endpoint) {
    super(context);
    this.transport = transport;
    this.endpoint = endpoint;
  }

  // ---------------------------------------------------------------- from outside

  /** The node has taken the link. */
  void started(RdmaLink link) {
    started.add(link);
    wakeIfAsleep();
  }

  @Override
  public void burstBegan(PacedWriter writer) {
    newBursts.add(writer);
    wakeIfAsleep();
  }

  private void wakeIfAsleep() {
    if (asleep) {
      wake();
    }
  }

  @Override
  public boolean isInRound() {
    return roundThread == Thread.currentThread();
  }

  // ---------------------------------------------------------------- rounds

  @Override
  protected int round() {
    roundThread = Thread.currentThread();
    try {
      long outcome = endpoint.progress();
      int worked = (outcome & Endpoint.WORK) == 0 ? 0 : 1;
      worked += takeArrivals((int) outcome); // before the news: they are of links that were up
      if ((outcome & Endpoint.NEWS) != 0) {
        worked += readNews();
      }
      while (!started.isEmpty()) {
        started.remove().takeWhatWaited();
        worked++;
      }
      if (!toDeliver.isEmpty() || !paused.isEmpty()) {
        deliver();
        roundsToClock -= DELIVERY; // handlers may take long
      }
      if (roundEnds.isDue()) {
        roundEnds.roundEnds();
      }
      if (!bursts.isEmpty() || !newBursts.isEmpty() || --roundsToClock <= 0) {
        worked += onClock(System.nanoTime());
      }
      return worked;
    } finally {
      roundThread = null;
    }
  }

  private int takeArrivals(int count) {
    Arrivals arrivals = endpoint.arrivals();
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += arrivals.length(i);
      link(arrivals.link(i)).arrived(arrivals, i);
    }
    return (int) Math.min(bytes, Integer.MAX_VALUE / 2); // lengths are what the far side says
  }

  /** A link, which may have bytes here before the news that it is up. */
  private RdmaLink link(long id) {
    RdmaLink last = lastLink;
    if (last != null && lastId == id) {
      return last;
    }
    RdmaLink link = links.computeIfAbsent(id, transport::newLink);
    lastLink = link;
    lastId = id;
    return link;
  }

  private int readNews() {
    int count = 0;
    for (News news = endpoint.takeNews(); news != null; news = endpoint.takeNews()) {
      count++;
      switch (news.kind()) {
        case UP -> transport.up(news, link(news.link()));
        case DOWN -> down(news);
        case DIAL_FAILED -> transport.dialFailed(news);
        case GONE -> forget(news.link());
      }
    }
    return count;
  }

  private void down(News news) {
    RdmaLink link = links.get(news.link());
    if (link != null) {
      end(link, news.text());
    }
    transport.down(news, link);
  }

  private void end(RdmaLink link, String reason) {
    paused.remove(link);
    toReport.remove(link);
    bursts.remove(link.writer());
    link.goDown(reason);
  }

  /** Its number was kept until here, as bytes of it may come before it is up and after its end. */
  private void forget(long id) {
    RdmaLink link = links.remove(id);
    lastLink = null;
    if (link != null) {
      end(link, "the connection did not come up");
    }
  }

  void deliverAtRoundEnd(RdmaLink link) {
    toDeliver.add(link);
  }

  private void deliver() {
    List<RdmaLink> now = toDeliver;
    toDeliver = delivering;
    delivering = now;
    for (RdmaLink link : paused) {
      if (!now.contains(link)) {
        now.add(link);
      }
    }
    paused.clear();
    for (RdmaLink link : now) {
      if (link.deliver()) {
        paused.add(link);
      }
    }
    now.clear();
  }

  @Override
  public void tellOfRoundEnd(PacedWriter writer) {
    roundEnds.tell(writer);
  }

  /** Reports are due that nobody waits for. */
  void reportsWait(RdmaLink link) {
    if (toReport.isEmpty()) {
      reportsWaitSinceNs = System.nanoTime();
    }
    if (!toReport.contains(link)) {
      toReport.add(link);
    }
  }

  private int onClock(long nowNs) {
    roundsToClock = ROUNDS_TO_CLOCK;
    if (!toReport.isEmpty() && nowNs - reportsWaitSinceNs >= REPORT_NS) {
      toReport.forEach(link -> link.writer().writeReports());
      toReport.clear();
    }
    return lookAfterBursts(nowNs);
  }

  private int lookAfterBursts(long nowNs) {
    for (PacedWriter began = newBursts.poll(); began != null; began = newBursts.poll()) {
      if (!bursts.contains(began)) {
        bursts.add(began);
      }
    }
    int worked = 0;
    for (int i = bursts.size() - 1; i >= 0; i--) {
      PacedWriter writer = bursts.get(i);
      worked += writer.isShut() ? 0 : writer.lookAfterBurst(nowNs);
      if (writer.isShut() || !writer.needsLooks()) {
        bursts.remove(i);
      }
    }
    return worked;
  }

  // ---------------------------------------------------------------- sleeping

  @Override
  protected void announceSleep() {
    asleep = true; // volatile, before the last round's looks at bursts and starts
    endpoint.arm();
  }

  @Override
  protected void sleep(long timeoutNs) {
    if (wakeRequested.get()) {
      return;
    }
    endpoint.await(Math.min(timeoutNs, untilOwnWorkNs()));
    roundsToClock = 0;
  }

  /** When something of our own is due: a burst's last bytes, or reports. */
  private long untilOwnWorkNs() {
    if (!bursts.isEmpty()) {
      // Where the library had to wait it goes on by itself. But what a sender was told of it may
      // be older than that, and the sender may have published more since.
      return isAllBlocked() ? BLOCKED_LOOK_NS : PacedWriter.LOOK_AGAIN_NS;
    }
    return toReport.isEmpty() ? Long.MAX_VALUE : REPORT_NS;
  }

  private boolean isAllBlocked() {
    for (PacedWriter writer : bursts) {
      if (!writer.isBlocked()) {
        return false;
      }
    }
    return true;
  }

  @Override
  protected void withdrawSleep() {
    asleep = false;
    wakeRequested.set(false);
  }

  @Override
  public void wake() {
    if (wakeRequested.compareAndSet(false, true)) {
      endpoint.wake();
    }
  }

  /** Ends the loop, takes every link down, then calls {@code afterwards}. */
  void close(String reason, long timeoutNs, Runnable afterwards) {
    stop(
        () -> {
          endLinks(reason, timeoutNs);
          afterwards.run();
        });
  }

  private void endLinks(String reason, long timeoutNs) {
    long untilNs = System.nanoTime() + timeoutNs;
    links.keySet().forEach(id -> endpoint.closeLink(id, reason));
    while (!links.isEmpty() && System.nanoTime() - untilNs < 0) {
      endpoint.progress();
      readNews();
      LockSupport.parkNanos(this, 50_000);
    }
    links.values().forEach(link -> link.goDown(reason));
    links.clear();
    synchronized (started) {
      ended = true;
    }
    endLatecomers();
  }

  /** Tells of the end of links that came up while the loop was being closed. */
  void endLatecomers() {
    synchronized (started) {
      while (ended && !started.isEmpty()) {
        RdmaLink link = started.remove();
        link.goDown("the node is closed");
      }
    }
  }
}
