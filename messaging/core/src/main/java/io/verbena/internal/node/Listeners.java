// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.NodeListener;
import io.verbena.internal.codec.TypeTable;
import io.verbena.internal.event.Words;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Who is told what happens at a node; where nobody is, failures go to the log. */
final class Listeners {

  private static final Logger LOG = System.getLogger("io.verbena");

  private final int id;
  private final TypeTable types;
  private final Runnable told;
  private final List<NodeListener> listeners = new CopyOnWriteArrayList<>();
  private final ScopedValue<Boolean> telling = ScopedValue.newInstance();
  private final AtomicLong untoldDrops = new AtomicLong();
  private final AtomicLong untoldFailures = new AtomicLong();

  /**
   * @param told called whenever they have been told something
   */
  Listeners(int id, TypeTable types, Runnable told) {
    this.id = id;
    this.types = types;
    this.told = told;
  }

  void add(NodeListener listener) {
    listeners.add(listener);
  }

  /** Whether a listener of this node is being told something by the calling thread. */
  boolean areToldHere() {
    return telling.isBound();
  }

  /** Tells every listener. */
  void tell(Consumer<NodeListener> news) {
    if (!listeners.isEmpty()) {
      ScopedValue.where(telling, true).run(() -> tellEach(news));
      told.run();
    }
  }

  private void tellEach(Consumer<NodeListener> news) {
    for (NodeListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (RuntimeException | Error e) { // a listener's failure is its own
        Words.log(LOG, Level.WARNING, "a listener of node %d failed", id, e);
      }
    }
  }

  /** Tells every listener of a message that was received and will not be handled. */
  void dropped(int peer, int typeId) {
    if (listeners.isEmpty() && Long.bitCount(untoldDrops.incrementAndGet()) == 1) {
      LOG.log(
          Level.WARNING,
          "node {0} closed before {1} of node {2} was handled; message {3} that no NodeListener is"
              + " told of, of many ever fewer are logged",
          String.valueOf(id),
          types.nameOf(typeId),
          String.valueOf(peer),
          untoldDrops);
    }
    tell(listener -> listener.dropped(peer, typeId));
  }

  /** Tells every listener of a handler that threw, or that there was none. */
  void handlerFailed(int peer, int typeId, Throwable failure) {
    if (listeners.isEmpty() && Long.bitCount(untoldFailures.incrementAndGet()) == 1) {
      Words.log(
          LOG,
          Level.WARNING,
          "the handler of "
              + types.nameOf(typeId)
              + " at node %d failed on a message of node "
              + peer
              + "; failure "
              + untoldFailures
              + " that no NodeListener is told of, of many ever fewer are logged",
          id,
          failure);
    }
    tell(listener -> listener.handlerFailed(peer, typeId, failure));
  }
}
