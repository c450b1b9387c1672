// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.LaneMemory;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.Outlet;
import io.verbena.transport.Transport;
import io.verbena.transport.replica.BadSegmentException;
import io.verbena.transport.replica.LinkLanes;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One TCP connection to a peer, handshake done. */
final class TcpLink implements Link {

  /** Why the link goes down, and whether something failed: then the far side may know why. */
  private record End(String reason, boolean isFailure) {}

  private final TcpTransport transport;
  private final TcpLoop loop;
  private final Wire wire;
  private final String description;
  private final LinkLanes lanes;
  private final LinkWriter writer;
  private final AtomicReference<@Nullable End> end = new AtomicReference<>();
  private volatile @Nullable LinkReader reader; // set by start
  private @Nullable LinkEvents events; // set by start, before the loop knows the link

  private final Object sign = new Object(); // told of every answer, and of the end
  private volatile int answers; // by the loop

  // By the loop.
  private @Nullable SelectionKey key;
  private boolean heard;
  private long lastHeardNs;
  private long lastPingNs;
  private boolean isDown;

  TcpLink(TcpTransport transport, TcpLoop loop, Wire wire, String description, LinkLanes lanes) {
    this.transport = transport;
    this.loop = loop;
    this.wire = wire;
    this.description = description;
    this.lanes = lanes;
    this.writer = new LinkWriter(this, loop, wire, lanes);
  }

  /** From here on the loop moves bytes. */
  void start(LinkEvents newEvents) {
    events = newEvents;
    reader = new LinkReader(this, loop, wire, newEvents, lanes);
    writer.open();
    loop.add(this);
  }

  /** The node did not want the link: nobody will be told of its end. */
  void abandon() {
    end.compareAndSet(null, new End("the node did not want it", true));
    writer.shut("", false);
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public String describe() {
    return description;
  }

  LinkWriter writer() {
    return writer;
  }

  @Override
  public Outlet attach(int laneId, LaneMemory memory) {
    TcpOutlet outlet = new TcpOutlet(laneId, memory, writer);
    writer.add(outlet);
    return outlet;
  }

  @Override
  public void close(String reason) {
    takeDown(new End(reason, false));
  }

  /** Something keeps this side from going on; if the far side has said why, that is the reason. */
  void fail(String reason) {
    takeDown(new End(reason, true));
  }

  private void takeDown(End why) {
    if (end.compareAndSet(null, why)) {
      loop.linkEnds();
      tellOfSign();
    }
  }

  private void tellOfSign() {
    synchronized (sign) {
      sign.notifyAll();
    }
  }

  @Override
  public boolean peerAnswers() {
    long untilNs = System.nanoTime() + transport.deadAfterNs() / 2;
    try {
      boolean first = answersOnce(untilNs); // perhaps an earlier question, sent before it died
      return first && answersOnce(untilNs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean answersOnce(long untilNs) throws InterruptedException {
    int before = answers;
    writer.ping();
    synchronized (sign) {
      for (long restNs = untilNs - System.nanoTime();
          answers == before && !isClosing() && restNs > 0;
          restNs = untilNs - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(sign, restNs);
      }
    }
    return answers != before && !isClosing();
  }

  boolean isClosing() {
    return end.get() != null;
  }

  // ---------------------------------------------------------------- by the loop

  void register(Selector selector, long nowNs) throws IOException {
    lastHeardNs = nowNs;
    lastPingNs = nowNs;
    key = wire.socket().register(selector, SelectionKey.OP_READ, this);
  }

  int receive(int reads) {
    LinkReader current = reader;
    if (current == null || isClosing()) {
      return 0;
    }
    try {
      return current.receive(reads);
    } catch (IOException e) {
      fail(String.valueOf(e.getMessage()));
    } catch (BadSegmentException e) {
      broken(String.valueOf(e.getMessage()));
    } catch (IllegalStateException e) {
      fail("the session's memory cannot be used: " + e.getMessage());
    } catch (RuntimeException | Error e) { // it costs this link alone; the loop tells of it
      fail("what arrived could not be taken: " + e);
      throw e;
    }
    return 1;
  }

  private void broken(String what) {
    LinkEvents to = events;
    close("protocol error: " + what);
    if (to != null) {
      to.broken(what);
    }
  }

  /** The peer has answered a question. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // nobody else writes it
  void answered() {
    answers++;
    tellOfSign();
  }

  void heard() {
    heard = true;
    writer.heard();
  }

  /** Watches for writability only while the socket takes no more. */
  void updateInterest() {
    SelectionKey current = key;
    if (current == null || !current.isValid()) {
      return;
    }
    int ops = SelectionKey.OP_READ | (writer.isBlocked() ? SelectionKey.OP_WRITE : 0);
    if (current.interestOps() != ops) {
      current.interestOps(ops);
    }
  }

  /** The time that passed while the loop did not look is nobody's fault. */
  void forgive(long nowNs) {
    lastHeardNs = nowNs;
  }

  /** Asks for a sign of life, or gives the link up. */
  void checkLife(long nowNs, long heartbeatNs, long deadAfterNs) {
    if (heard) {
      heard = false;
      lastHeardNs = nowNs;
    }
    long silentNs = nowNs - lastHeardNs;
    if (silentNs >= deadAfterNs) {
      fail(
          "nothing arrived for "
              + silentNs / 1_000_000
              + " ms; tcp.dead.after is "
              + deadAfterNs / 1_000_000
              + " ms");
    } else if (silentNs >= heartbeatNs && nowNs - lastPingNs >= heartbeatNs) {
      lastPingNs = nowNs;
      writer.ping();
    }
  }

  /** Ends the link if that is due; returns whether it is down. */
  boolean goDownIfDue() {
    End why = end.get();
    if (why == null || isDown) {
      return isDown;
    }
    isDown = true;
    LinkReader current = reader;
    String reason =
        current != null && why.isFailure() ? current.lastWords(why.reason()) : why.reason();
    writer.shut(reason, true); // a far side that is still there is told what failed here
    loop.readToEnd(wire.socket(), key);
    LinkEvents to = events;
    if (to != null) {
      to.down(reason);
    }
    return true;
  }
}
