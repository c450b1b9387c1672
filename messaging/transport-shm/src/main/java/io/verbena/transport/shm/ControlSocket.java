// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A link's socket, and what there is to be said on it: who says something may hold locks, or be the
 * node's clock, and must not wait for a peer that reads nothing. The thread of its {@link
 * ControlSockets} reads and writes it.
 */
final class ControlSocket {

  /** Who hears what the peer says; told by the thread of the sockets. */
  interface Listener {

    /** The peer said this. */
    void heard(ControlMessage message);

    /** The peer says nothing more. */
    void fellSilent(String why);

    /** Nothing more can be said to the peer; it may have said something that is not read yet. */
    void broke(String why);

    /** The socket is closed. */
    void closed();
  }

  /** How long a peer may take to read the last words before they are thrown away. */
  private static final long LAST_WORDS_NS = TimeUnit.SECONDS.toNanos(5);

  /** Why a link ends whose peer's words found no memory. */
  private static final String LOST = "what the peer said could not be taken in";

  private final SocketChannel channel;
  private final int mostUnsaid;
  private final Listener listener;
  private final ByteBuffer in =
      ByteBuffer.allocate(2 * ControlMessage.MOST_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final Queue<ByteBuffer> unsaid = new ArrayDeque<>(); // guarded by this, as are the next
  private boolean saidBye; // nothing is said after it
  private boolean isEnding;
  private long endNs;

  // By the thread of the sockets, once it has the socket.
  private @Nullable SelectionKey key;
  private @Nullable String silence; // why the peer says nothing more
  private boolean isSilenceTold;

  /** Of a channel that is in blocking mode and of which the handshake is over. */
  ControlSocket(SocketChannel channel, int mostUnsaid, Listener listener) {
    this.channel = channel;
    this.listener = listener;
    this.mostUnsaid = mostUnsaid;
  }

  /** Has it said; false if too much waits to be said already. Never waits. */
  synchronized boolean say(ControlMessage message) {
    if (saidBye) {
      return true;
    }
    saidBye = message.kind() == ControlMessage.BYE;
    if (unsaid.size() >= mostUnsaid) {
      return false;
    }
    unsaid.add(message.encode());
    return true;
  }

  /** It is to be closed once everything is said, or soon. */
  synchronized void end() {
    if (!isEnding) {
      isEnding = true;
      endNs = System.nanoTime() + LAST_WORDS_NS;
    }
  }

  synchronized boolean isEnding() {
    return isEnding;
  }

  // ---------------------------------------------------------------- by the thread of the sockets

  /** Reads and writes what can be; true if the socket is closed, and over. */
  boolean serve(Selector selector) {
    if (key == null && silence == null) {
      register(selector);
    }
    if (key != null) {
      write();
    }
    if (silence == null) {
      read();
    }
    if (silence != null && !isSilenceTold) {
      listener.fellSilent(silence);
      isSilenceTold = true;
    }
    if (isOver()) {
      close();
      return true;
    }
    if (key != null) {
      key.interestOps(interest());
    }
    return false;
  }

  private void register(Selector selector) {
    try {
      channel.configureBlocking(false);
      key = channel.register(selector, SelectionKey.OP_READ, this);
    } catch (IOException e) {
      silence = "its socket cannot be read: " + e.getMessage();
      sayNothingMore();
    }
  }

  private synchronized void sayNothingMore() {
    unsaid.clear();
    saidBye = true;
  }

  private synchronized boolean isOver() {
    return isEnding && (unsaid.isEmpty() || System.nanoTime() - endNs >= 0);
  }

  private synchronized int interest() {
    return (silence == null ? SelectionKey.OP_READ : 0)
        | (unsaid.isEmpty() ? 0 : SelectionKey.OP_WRITE);
  }

  private void write() {
    try {
      writeUnsaid();
    } catch (IOException e) {
      sayNothingMore();
      listener.broke("the socket broke: " + e.getMessage());
    }
  }

  private synchronized void writeUnsaid() throws IOException {
    for (ByteBuffer next = unsaid.peek(); next != null; next = unsaid.peek()) {
      channel.write(next);
      if (next.hasRemaining()) {
        return; // the peer is behind
      }
      unsaid.remove();
      if (saidBye && unsaid.isEmpty()) {
        channel.shutdownOutput();
      }
    }
  }

  private void read() {
    silence = LOST; // unless it ends well
    try {
      boolean isOpen = channel.read(in) >= 0;
      hear();
      silence = isOpen ? null : "the peer closed the link or died";
    } catch (IOException e) {
      silence = e.getMessage() == null ? "the socket was closed" : e.getMessage();
    }
  }

  private void hear() {
    in.flip();
    try {
      for (ControlMessage next; (next = ControlMessage.decode(in)) != null; ) {
        listener.heard(next);
      }
    } finally {
      in.compact();
    }
  }

  /** Closes it, if it is not served or not any more. */
  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is of no use any more in either case.
    } finally {
      listener.closed();
    }
  }
}
