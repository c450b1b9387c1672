// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sockets on which a handshake is under way. Each has one owner who may close it: its handshake
 * until {@link #end}, then its link, unless {@link #close} came first. Any thread.
 */
final class Handshakes {

  private final Set<SocketChannel> underWay = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** A handshake begins; it fails at once if no more are wanted. */
  void begin(SocketChannel socket) {
    underWay.add(socket); // before the look: close() finds it, or we find that it was there
    if (closed) {
      end(socket);
      closeQuietly(socket);
    }
  }

  /** A handshake is over. Returns whether the caller owns the socket: false if it was closed. */
  boolean end(SocketChannel socket) {
    return underWay.remove(socket);
  }

  int count() {
    return underWay.size();
  }

  /** Handshakes that are under way fail, and so do those that begin later. */
  void close() {
    closed = true;
    for (SocketChannel socket : underWay) {
      if (end(socket)) {
        closeQuietly(socket);
      }
    }
  }

  static void closeQuietly(Channel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // It is as closed as it can be.
    }
  }
}
