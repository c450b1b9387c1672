// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.loopback;

import io.verbena.transport.InPlaceLoop;
import io.verbena.transport.InboundLane;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.Outlet;
import io.verbena.transport.Transport;
import io.verbena.transport.Waiters;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One end of a link inside a JVM. What the other end is to know is queued to its loop, so that
 * events of a link come from one thread at a time.
 */
final class LoopbackLink implements Link, InPlaceLoop.Source {

  private final LoopbackTransport transport;
  private final String description;
  private final AtomicBoolean down;
  private @Nullable LoopbackLink other; // set by join, before anything else
  private volatile @Nullable LinkEvents events;
  private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();

  LoopbackLink(LoopbackTransport transport, String description) {
    this.transport = transport;
    this.description = description;
    this.down = new AtomicBoolean();
  }

  void join(LoopbackLink otherEnd) {
    other = otherEnd;
  }

  private LoopbackLink other() {
    LoopbackLink end = other;
    if (end == null) {
      throw new IllegalStateException("not joined");
    }
    return end;
  }

  /** From here on news are read, those from before included. */
  void start(LinkEvents newEvents) {
    events = newEvents;
    transport.progress().add(this);
  }

  /** Queues what this end is to learn. */
  private void tell(Runnable what) {
    news.add(what);
    transport.progress().announceNews();
  }

  @Override
  public int readNews() {
    int read = 0;
    for (Runnable next = news.poll(); next != null; next = news.poll()) {
      next.run();
      read++;
    }
    return read;
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public String describe() {
    return description;
  }

  @Override
  public Outlet attach(int laneId, LaneMemory memory) {
    LoopbackLink peer = other();
    Waiters waiters = new Waiters();
    peer.tell(() -> peer.open(laneId, memory, waiters));
    return new LoopbackOutlet(peer, laneId, memory, waiters);
  }

  /** By the loop's role: the other end announced a lane. */
  private void open(int laneId, LaneMemory memory, Waiters waiters) {
    LinkEvents to = events;
    if (to == null) {
      return;
    }
    try {
      InboundLane lane = to.inbound(laneId, memory.capacity(), () -> memory);
      transport.progress().read(this, lane, waiters::wakeAll);
    } catch (IOException e) {
      close(String.valueOf(e.getMessage()));
    }
  }

  private void finished(int laneId, long finalPosition) {
    LinkEvents to = events;
    transport.progress().unread(this, laneId);
    if (to != null) {
      to.finished(laneId, finalPosition);
    }
  }

  @Override
  public void close(String reason) {
    takeDown(reason);
    LoopbackLink peer = other();
    if (peer != this) {
      peer.takeDown(reason);
    }
  }

  private void takeDown(String reason) {
    if (down.compareAndSet(false, true)) {
      tell(() -> reportDown(reason));
    }
  }

  boolean isDown() {
    return down.get();
  }

  private void reportDown(String reason) {
    transport.progress().unread(this);
    transport.progress().remove(this);
    LinkEvents to = events;
    if (to != null) {
      to.down(reason);
    }
  }

  /** Where a lane leaves towards the loop of its reader. */
  private record LoopbackOutlet(LoopbackLink reader, int laneId, LaneMemory memory, Waiters waiters)
      implements Outlet {

    @Override
    public void published() {
      reader.transport.progress().wakeIfAsleep();
    }

    @Override
    public void awaitConsumed(long position, long timeoutNs) {
      waiters.await(
          () -> {
            memory.announceWaiting();
            return memory.consumed() > position || reader.isDown();
          },
          timeoutNs);
    }

    @Override
    public void finish(long finalPosition) {
      reader.tell(() -> reader.finished(laneId, finalPosition));
    }
  }
}
