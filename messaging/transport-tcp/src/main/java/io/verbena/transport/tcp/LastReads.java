// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Sockets of links that are down. Each is read, and what comes is dropped, until the far side has
 * ended its half. A socket that is closed with bytes unread, or gets some afterwards, resets the
 * connection, and a reset voids what is under way: the far side would never read why the link was
 * taken down. By the holder of the loop's role.
 */
final class LastReads {

  private static final int MOST = 64;

  private record Leaving(SocketChannel socket, long untilNs) {}

  private final Deque<Leaving> leaving = new ArrayDeque<>();
  private final long mostNs;

  /**
   * @param mostNs for so long a far side may be silent and not be dead
   */
  LastReads(long mostNs) {
    this.mostNs = mostNs;
  }

  /** Ends this side's half. The key, if there is one, goes on waking the loop. */
  void add(SocketChannel socket, @Nullable SelectionKey key, ByteBuffer scratch) {
    try {
      if (key == null || !socket.isOpen()) { // nothing was ever received on it
        socket.close();
        return;
      }
      key.attach(null);
      key.interestOps(SelectionKey.OP_READ);
      socket.shutdownOutput();
    } catch (IOException | CancelledKeyException e) {
      close(socket);
      return;
    }
    Leaving last = new Leaving(socket, System.nanoTime() + mostNs);
    if (isOver(last, scratch, System.nanoTime())) {
      return;
    }
    if (leaving.size() == MOST) {
      close(leaving.removeFirst().socket());
    }
    leaving.addLast(last);
  }

  boolean isEmpty() {
    return leaving.isEmpty();
  }

  /** Reads what there is; returns whether a socket was closed. */
  boolean look(ByteBuffer scratch) {
    long nowNs = System.nanoTime();
    return leaving.removeIf(each -> isOver(each, scratch, nowNs));
  }

  void close() {
    leaving.forEach(each -> close(each.socket()));
    leaving.clear();
  }

  /** One read at a time: a far side that sends for ever does not keep the loop from its links. */
  private static boolean isOver(Leaving each, ByteBuffer scratch, long nowNs) {
    boolean over = nowNs - each.untilNs() >= 0;
    try {
      over |= each.socket().read(scratch.clear()) < 0;
    } catch (IOException e) {
      over = true; // reset by the far side
    }
    if (over) {
      close(each.socket());
    }
    return over;
  }

  private static void close(SocketChannel socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is as closed as it can be.
    }
  }
}
