// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import io.verbena.transport.Errands;
import java.io.IOException;
import java.nio.channels.Selector;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The sockets of a node's links, read and written by one thread that waits for no peer. It is there
 * while there are any.
 */
final class ControlSockets {

  /** How often a peer that does not read its last words is looked at. */
  private static final long GLANCE_MS = 100;

  private final String name;
  private final Queue<ControlSocket> added = new ConcurrentLinkedQueue<>();
  private final Queue<ControlSocket> changed = new ConcurrentLinkedQueue<>();
  private int sockets; // guarded by this
  private volatile @Nullable Selector selector; // while there are any; set under the lock

  // By the thread.
  private final Set<ControlSocket> served = new HashSet<>();
  private final Set<ControlSocket> ending = new HashSet<>();
  private boolean serveAll; // what was ready is not known

  /** None yet. */
  ControlSockets(String name) {
    this.name = name;
  }

  /**
   * Serves a socket until it is closed.
   *
   * @throws IOException if it cannot be
   */
  void add(ControlSocket socket) throws IOException {
    synchronized (this) {
      if (selector == null) {
        selector = start();
      }
      sockets++;
      added.add(socket);
      selector.wakeup();
    }
  }

  private Selector start() throws IOException {
    Selector opened = Selector.open();
    try {
      Errands.ownThread(name, () -> run(opened)).start();
    } catch (OutOfMemoryError e) {
      opened.close();
      throw new IOException("there is no memory for a thread that reads sockets", e);
    }
    return opened;
  }

  /** There is something to be said on a socket, or it ends. */
  void changed(ControlSocket socket) {
    Selector now = selector;
    if (now != null) {
      changed.add(socket);
      now.wakeup();
    }
  }

  // ---------------------------------------------------------------- the thread

  private void run(Selector opened) {
    try (opened) {
      while (!areNone()) {
        try {
          serveReady(opened);
        } catch (IOException | RuntimeException | Error e) { // it serves all peers: it goes on
          serveAll = true;
          LockSupport.parkNanos(this, GLANCE_MS * 1_000_000);
        }
      }
    } catch (IOException e) {
      // It is of no use any more in either case.
    }
  }

  private synchronized boolean areNone() {
    if (sockets == 0) {
      selector = null; // whoever adds one opens another
    }
    return sockets == 0;
  }

  private void serveReady(Selector opened) throws IOException {
    boolean unused = Thread.interrupted(); // whoever did that: with it no select waits
    if (serveAll) {
      opened.selectNow();
    } else {
      opened.select(ending.isEmpty() ? 0 : GLANCE_MS);
    }
    Set<ControlSocket> ready = new LinkedHashSet<>(serveAll ? served : ending);
    opened.selectedKeys().forEach(key -> ready.add((ControlSocket) key.attachment()));
    opened.selectedKeys().clear();
    for (ControlSocket next; (next = added.peek()) != null; added.remove()) {
      served.add(next);
      ready.add(next);
    }
    for (ControlSocket next; (next = changed.poll()) != null; ) {
      ready.add(next);
    }
    ready.forEach(socket -> serve(socket, opened));
    serveAll = false;
  }

  private void serve(ControlSocket socket, Selector opened) {
    if (!served.contains(socket)) {
      return; // it is not started yet, or closed already
    }
    if (socket.serve(opened)) {
      served.remove(socket);
      ending.remove(socket);
      synchronized (this) {
        sockets--;
      }
    } else if (socket.isEnding()) {
      ending.add(socket);
    }
  }
}
