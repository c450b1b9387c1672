// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** The receiving loop of transports whose nodes read each other's lanes in place. */
public abstract class InPlaceLoop extends ProgressLoop {

  /** A link that has something to say to this loop now and then. */
  public interface Source {

    /** Does what came up since; by the role's holder. Returns how much that was. */
    int readNews();

    /** Takes the link down. */
    void close(String reason);
  }

  /** A lane that is read here, and how to wake its writer when it waits for room. */
  private static final class Incoming {
    private final Source source;
    private final InboundLane lane;
    private final Runnable wakeWriter;
    private boolean hasTaken; // since the writer was last looked for with a fence

    Incoming(Source source, InboundLane lane, Runnable wakeWriter) {
      this.source = source;
      this.lane = lane;
      this.wakeWriter = wakeWriter;
    }

    /**
     * Reads what there is, and wakes a writer that waits for room. One that announces it at this
     * moment is seen for certain by the next round, when there is nothing to read any more: the
     * fence that this needs would stand between a message and whoever waits for it.
     */
    int drain() {
      int bytes = lane.drain();
      if (bytes > 0) {
        hasTaken = true;
        wake(lane.memory().isWaiting());
      } else if (hasTaken) {
        hasTaken = false;
        wake(true);
      }
      return bytes;
    }

    private void wake(boolean mayWait) {
      try {
        if (mayWait && lane.memory().takeWaiting()) {
          wakeWriter.run();
        }
      } catch (IllegalStateException e) {
        // The session is over, and its memory freed: nobody writes there.
      }
    }
  }

  private final List<Source> sources = new CopyOnWriteArrayList<>();
  private Incoming[] incoming = new Incoming[0]; // by the role's holder
  private volatile boolean news;

  /** Makes a loop; {@link #start} starts its thread. */
  protected InPlaceLoop(TransportContext context) {
    super(context);
  }

  /** Wakes the loop if it sleeps; called after every publication, so it must be cheap. */
  public abstract void wakeIfAsleep();

  /** From here on the source's news are read. */
  public final void add(Source source) {
    sources.add(source);
    announceNews();
  }

  /** The source has no more news. */
  public final void remove(Source source) {
    sources.remove(source);
  }

  /** Takes every link down. */
  public final void closeAll(String reason) {
    sources.forEach(source -> source.close(reason));
  }

  /** A source has news. */
  public final void announceNews() {
    news = true;
    wakeIfAsleep();
  }

  /** By the role: reads a lane from now on. */
  public final void read(Source source, InboundLane lane, Runnable wakeWriter) {
    Incoming[] more = Arrays.copyOf(incoming, incoming.length + 1);
    more[incoming.length] = new Incoming(source, lane, wakeWriter);
    incoming = more;
  }

  /** By the role: reads a lane no more. */
  public final void unread(Source source, int laneId) {
    keepIf(entry -> entry.source != source || entry.lane.id() != laneId);
  }

  /** By the role: reads nothing of a source any more. */
  public final void unread(Source source) {
    keepIf(entry -> entry.source != source);
  }

  private void keepIf(Predicate<Incoming> keep) {
    incoming = Arrays.stream(incoming).filter(keep).toArray(Incoming[]::new);
  }

  @Override
  protected final int round() {
    int worked = news ? readNews() : 0;
    for (Incoming entry : incoming) {
      worked += Math.max(0, entry.drain());
    }
    return worked;
  }

  /** By the role, or by the closing thread once the loop has stopped. */
  public final int readNews() {
    news = false; // before reading: what comes later sets it again
    int done = 0;
    boolean all = false;
    try {
      for (Source source : sources) {
        done += source.readNews();
      }
      all = true;
    } finally {
      if (!all) {
        news = true; // one failed: the others still have theirs
      }
    }
    return done;
  }
}
