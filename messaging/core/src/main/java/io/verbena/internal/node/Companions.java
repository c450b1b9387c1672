// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.NodeClosedException;
import io.verbena.VerbenaException;
import io.verbena.internal.event.Words;
import io.verbena.transport.Companion;
import io.verbena.transport.NodeIdentity;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/** What lives beside a node's transports. Any thread. */
final class Companions {

  private static final Logger LOG = System.getLogger("io.verbena");

  private final int id;
  private final List<Companion> all = new ArrayList<>(); // guarded by this, like what follows
  private boolean started;
  private boolean closed;

  Companions(int id) {
    this.id = id;
  }

  synchronized void add(Companion companion) {
    if (closed) {
      throw new NodeClosedException("node " + id + " is closed");
    }
    if (started) {
      throw new IllegalStateException(
          "node " + id + " was started before: attach to it between build and start");
    }
    all.add(companion);
  }

  /** Nobody is added any more, though none was told yet. */
  synchronized void begin() {
    started = true;
  }

  void start(NodeIdentity node) {
    for (Companion companion : all()) {
      try {
        companion.started(node);
      } catch (RuntimeException e) {
        throw new VerbenaException(
            "cannot start what is attached to node " + id + ": " + e.getMessage(), e);
      }
    }
  }

  void peerRemoved(int peer) {
    all().forEach(companion -> companion.peerRemoved(peer));
  }

  void peerGivenUp(int peer, String reason) {
    all().forEach(companion -> companion.peerGivenUp(peer, reason));
  }

  /**
   * The last one first. Whoever throws keeps none of the others, and no transport, from closing.
   */
  void close() {
    List<Companion> left;
    synchronized (this) {
      closed = true;
      left = List.copyOf(all);
      all.clear();
    }
    for (Companion companion : left.reversed()) {
      try {
        companion.closing();
      } catch (RuntimeException e) {
        Words.log(LOG, Level.ERROR, "what is attached to node %d failed to close", id, e);
      }
    }
  }

  private synchronized List<Companion> all() {
    return List.copyOf(all);
  }
}
