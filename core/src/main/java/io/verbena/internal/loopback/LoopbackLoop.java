// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.loopback;

import io.verbena.transport.AsymmetricFence;
import io.verbena.transport.InboundLane;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.TransportContext;
import io.verbena.transport.Waiters;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads the lanes of all loopback links of a node. */
final class LoopbackLoop extends ProgressLoop {

  /** A lane that is read here. */
  private record Incoming(LoopbackLink link, InboundLane lane, Waiters waiters) {}

  private final List<LoopbackLink> links = new CopyOnWriteArrayList<>();
  private Incoming[] incoming = new Incoming[0]; // by the role's holder

  private volatile boolean news;
  private volatile boolean asleep;
  private volatile boolean wakeRequested;
  private volatile @Nullable Thread sleeper;

  LoopbackLoop(TransportContext context) {
    super(context);
  }

  /** From here on the link's news are read. */
  void add(LoopbackLink link) {
    links.add(link);
    announceNews();
  }

  void remove(LoopbackLink link) {
    links.remove(link);
  }

  void closeLinks(String reason) {
    links.forEach(link -> link.close(reason));
  }

  /** A link has news. */
  void announceNews() {
    news = true;
    wakeIfAsleep();
  }

  /** By the role: reads a lane from now on. */
  void read(LoopbackLink link, InboundLane lane, Waiters waiters) {
    Incoming[] more = Arrays.copyOf(incoming, incoming.length + 1);
    more[incoming.length] = new Incoming(link, lane, waiters);
    incoming = more;
  }

  /** By the role: reads a lane no more. */
  void unread(LoopbackLink link, int laneId) {
    keepIf(entry -> entry.link() != link || entry.lane().id() != laneId);
  }

  /** By the role: reads nothing of a link any more. */
  void unread(LoopbackLink link) {
    keepIf(entry -> entry.link() != link);
  }

  private void keepIf(Predicate<Incoming> keep) {
    incoming = Arrays.stream(incoming).filter(keep).toArray(Incoming[]::new);
  }

  @Override
  protected int round() {
    int worked = news ? readNews() : 0;
    for (Incoming entry : incoming) {
      int bytes = entry.lane().drain();
      if (bytes > 0) {
        worked += bytes;
        if (entry.lane().memory().takeWaiting()) {
          entry.waiters().wakeAll();
        }
      }
    }
    return worked;
  }

  /** By the role, or by the closing thread once the loop has stopped. */
  int readNews() {
    news = false; // before reading: what comes later sets it again
    int done = 0;
    for (LoopbackLink link : links) {
      done += link.readNews();
    }
    return done;
  }

  @Override
  protected void announceSleep() {
    sleeper = Thread.currentThread();
    asleep = true;
    AsymmetricFence.heavy(); // pairs with the light one in wakeIfAsleep
  }

  @Override
  protected void sleep(long timeoutNs) {
    if (!wakeRequested) {
      LockSupport.parkNanos(this, timeoutNs);
    }
  }

  @Override
  protected void withdrawSleep() {
    asleep = false;
    sleeper = null;
    wakeRequested = false;
  }

  @Override
  public void wake() {
    wakeRequested = true;
    LockSupport.unpark(sleeper);
  }

  /** Wakes the loop if it sleeps; called after every publication. */
  void wakeIfAsleep() {
    // Either the sleeper's last round sees what was published, or we see that it sleeps.
    AsymmetricFence.light();
    if (asleep) {
      wake();
    }
  }
}
