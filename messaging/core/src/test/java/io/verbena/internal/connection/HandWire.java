// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.transport.Held;
import io.verbena.transport.InboundLane;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.Outlet;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.RefusedException;
import io.verbena.transport.StillContext;
import io.verbena.transport.Transport;
import io.verbena.transport.Versions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Two connections, one at each end of a wire that moves only when a test says so: no thread, no
 * time, no chance. Each end reads the other's lanes in place.
 */
public final class HandWire {

  private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(3);

  private final End left;
  private final End right;
  private long lastSession;
  private int version = Versions.SPOKEN.greatest();
  private boolean deliversToWaiters;

  /** Joins two nodes; {@link #link} makes the first link. */
  public HandWire(TestHost left, TestHost right) {
    this.left = new End(left, right.id());
    this.right = new End(right, left.id());
  }

  /** The left node's connection to the right one. */
  public Connection left() {
    return left.connection;
  }

  /** The right node's connection to the left one. */
  public Connection right() {
    return right.connection;
  }

  /** The next session is in this version of the protocol. */
  public HandWire speak(int newVersion) {
    version = newVersion;
    return this;
  }

  /** Links both ends and begins a session. */
  public HandWire link() {
    return link(1, 1);
  }

  /** Links both ends; a session goes on if both hold it with these lives of each other. */
  public HandWire link(long leftIncarnation, long rightIncarnation) {
    Held mine = left.connection.heldWith(rightIncarnation);
    Held theirs = right.connection.heldWith(leftIncarnation);
    boolean same = mine.session() != 0 && mine.session() == theirs.session();
    long session = same ? mine.session() : ++lastSession;
    HandLink here = new HandLink(left);
    HandLink there = new HandLink(right);
    here.other = there;
    there.other = here;
    try {
      there.begin(
          right.connection.established(
              TestLink.agreement(leftIncarnation, theirs, session, version), there, "by hand"));
      here.begin(
          left.connection.established(
              TestLink.agreement(rightIncarnation, mine, session, version), here, "by hand"));
    } catch (RefusedException e) {
      throw new AssertionError(e);
    }
    return this;
  }

  /** The right node dies; another life of it takes its place, which knows nothing. */
  public void restartRight(TestHost newLife) {
    cut();
    right.replace(newLife);
  }

  /** Breaks the link; what is in the lanes stays there. */
  public void cut() {
    left.current().close("cut");
    right.current().close("cut");
    left.readNews();
    right.readNews();
  }

  /** Moves everything both ways until nothing moves any more. */
  public void deliver() {
    while (left.receive() + right.receive() > 0) {
      // what arrived may have been answered
    }
  }

  /** Only the right end receives, until there is nothing more. */
  public void deliverToRight() {
    right.receive();
  }

  /** Only the left end receives, until there is nothing more. */
  public void deliverToLeft() {
    left.receive();
  }

  /** Has a sender that waits for room deliver what lies in its way. */
  public void deliverToWaiters() {
    deliversToWaiters = true;
  }

  /** Whether the left node finds no memory for lanes from here on. */
  public void leftLacksMemory(boolean lacks) {
    leftHasMemoryFor(lacks ? 0 : Long.MAX_VALUE);
  }

  /** Each attempt of the right node to make a lane fails with this from here on. */
  public void rightFailsToMakeLanes(Error fault) {
    right.fault = fault;
  }

  /** The left node finds memory for lanes up to this size from here on. */
  public void leftHasMemoryFor(long capacity) {
    left.largestLane = capacity;
  }

  /** Runs something as handlers run: on the thread that receives. */
  public void whileLeftReceives(Runnable what) {
    left.errand = what;
    left.receive();
  }

  /** Closes both nodes so that nothing is dialled any more. */
  public void close() {
    left.host.close();
    right.host.close();
  }

  /** One node's end of the wire. */
  private final class End {
    private TestHost host;
    private Connection connection;
    private HandTransport transport = new HandTransport();
    private final Queue<Runnable> news = new ArrayDeque<>();
    private final List<InboundLane> lanes = new ArrayList<>();
    private final HandLoop loop = new HandLoop(this);
    private @Nullable HandLink link;
    private @Nullable Runnable errand;
    private @Nullable Error fault;
    private long largestLane = Long.MAX_VALUE;

    End(TestHost host, int peer) {
      this.host = host;
      this.connection = new Connection(host, peer);
    }

    HandLink current() {
      if (link == null) {
        throw new IllegalStateException("there is no link");
      }
      return link;
    }

    void replace(TestHost newLife) {
      host.close();
      news.clear();
      lanes.clear();
      connection = new Connection(newLife, connection.peer());
      host = newLife;
      transport = new HandTransport();
    }

    int readNews() {
      int read = 0;
      for (Runnable next = news.poll(); next != null; next = news.poll()) {
        next.run();
        read++;
      }
      return read;
    }

    int receive() {
      return loop.receive();
    }

    int round() {
      int done = readNews();
      Runnable todo = errand;
      errand = null;
      if (todo != null) {
        todo.run();
        done++;
      }
      for (InboundLane lane : List.copyOf(lanes)) {
        done += Math.max(0, lane.drain());
      }
      host.moveBacklog();
      return done;
    }

    private final class HandTransport implements Transport {
      @Override
      public String name() {
        return "hand";
      }

      @Override
      public boolean canReach(int peer, String address) {
        return false;
      }

      @Override
      public void connect(int peer, String address, Duration timeout) throws IOException {
        throw new IOException("links are made by hand");
      }

      /** Freed by its owner alone; whoever touches it afterwards gets an exception. */
      @Override
      public LaneMemory allocate(int peer, int laneId, long capacity) throws IOException {
        if (fault != null) {
          throw fault;
        }
        if (capacity > largestLane) {
          throw new IOException("there is no memory for " + capacity + " bytes");
        }
        Arena arena = Arena.ofShared();
        return new LaneMemory(arena.allocate(LaneMemory.DATA_OFFSET + capacity, 64), arena::close);
      }

      @Override
      public boolean readsInPlace() {
        return true;
      }

      @Override
      public ProgressLoop progress() {
        return loop;
      }

      @Override
      public void close() {}
    }
  }

  /** Receives when told to, in the role as everybody does. */
  private static final class HandLoop extends ProgressLoop {
    private final End end;
    private boolean finding;
    private int found;

    HandLoop(End end) {
      super(new StillContext(0));
      this.end = end;
    }

    int receive() {
      finding = true;
      found = 0;
      helpUntil(() -> !finding, System.nanoTime() + PATIENCE_NS);
      return found;
    }

    @Override
    protected int round() {
      int worked = end.round();
      finding = worked > 0;
      found += worked;
      return worked;
    }

    @Override
    protected void announceSleep() {}

    @Override
    protected void sleep(long timeoutNs) {}

    @Override
    protected void withdrawSleep() {}

    @Override
    public void wake() {}
  }

  /** One end's view of a link. What the other end is to learn waits until that end receives. */
  private final class HandLink implements Link {
    private final End end;
    private @Nullable HandLink other;
    private @Nullable LinkEvents events;
    private boolean down;

    HandLink(End end) {
      this.end = end;
    }

    void begin(LinkEvents newEvents) {
      events = newEvents;
      end.link = this;
    }

    private HandLink other() {
      if (other == null) {
        throw new IllegalStateException("not joined");
      }
      return other;
    }

    @Override
    public Transport transport() {
      return end.transport;
    }

    @Override
    public String describe() {
      return "by hand";
    }

    @Override
    public Outlet attach(int laneId, LaneMemory memory) {
      HandLink reader = other();
      reader.tell(to -> reader.open(to, laneId, memory));
      return new HandOutlet(reader, laneId);
    }

    private void tell(java.util.function.Consumer<LinkEvents> what) {
      end.news.add(
          () -> {
            LinkEvents to = events;
            if (to != null) {
              what.accept(to);
            }
          });
    }

    private void open(LinkEvents to, int laneId, LaneMemory memory) {
      try {
        LaneMemory mine = new LaneMemory(memory.segment(), () -> {});
        InboundLane lane = to.inbound(laneId, memory.capacity(), () -> mine);
        end.lanes.removeIf(other -> other.id() == laneId);
        end.lanes.add(lane);
      } catch (IOException e) {
        close(String.valueOf(e.getMessage()));
      }
    }

    @Override
    public void close(String reason) {
      takeDown(reason);
      other().takeDown(reason);
    }

    private void takeDown(String reason) {
      if (!down) {
        down = true;
        tell(
            to -> {
              end.lanes.clear();
              to.down(reason);
            });
      }
    }
  }

  private final class HandOutlet implements Outlet {
    private final HandLink reader;
    private final int laneId;

    HandOutlet(HandLink reader, int laneId) {
      this.reader = reader;
      this.laneId = laneId;
    }

    @Override
    public void published() {}

    @Override
    public void awaitConsumed(long position, long timeoutNs) {
      if (deliversToWaiters) {
        reader.end.receive();
      }
    }

    @Override
    public void finish(long finalPosition) {
      reader.tell(
          to -> {
            reader.end.lanes.removeIf(lane -> lane.id() == laneId);
            to.finished(laneId, finalPosition);
          });
    }
  }
}
