// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.Errands;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.TransportContext;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.function.Consumer;

/** Listens; hands each incoming connection to an errand of its own, up to a limit. */
final class Acceptor {

  /** Peers that dial at once, as all do when a cluster starts; the kernel allows 4096 or less. */
  private static final int BACKLOG = 4096;

  private static final Logger LOG = System.getLogger("io.verbena.transport.tcp");
  private static final long RETRY_MS = 50;
  private static final long CLOSE_MS = 1000;

  private final TransportContext context;
  private final ServerSocketChannel server;
  private final InetSocketAddress bound;
  private final int maxPending;
  private final Handshakes handshakes;
  private final Consumer<SocketChannel> handshake;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Starts to listen.
   *
   * @param handshakes counts and closes those that are under way
   * @param handshake does the handshake and keeps or closes the channel
   */
  Acceptor(
      TransportContext context,
      TcpSettings settings,
      Handshakes handshakes,
      Consumer<SocketChannel> handshake)
      throws IOException {
    this.context = context;
    this.handshakes = handshakes;
    this.maxPending = settings.maxPendingHandshakes();
    this.handshake = handshake;
    this.server = listen(settings.listen());
    this.bound = (InetSocketAddress) server.getLocalAddress();
    this.thread = Errands.ownThread("verbena-" + context.nodeId() + "-tcp-accept", this::run);
    try {
      thread.start();
    } catch (Error e) { // no thread can start
      Handshakes.closeQuietly(server);
      throw e;
    }
  }

  private static ServerSocketChannel listen(String text) throws IOException {
    InetSocketAddress address = Address.parse(text).resolve().getFirst();
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      server.setOption(java.net.StandardSocketOptions.SO_REUSEADDR, true);
      return server.bind(address, BACKLOG);
    } catch (UnsupportedAddressTypeException e) {
      server.close();
      throw Address.notServed(address, e);
    } catch (IOException e) {
      server.close();
      throw new IOException(
          "cannot listen on "
              + Address.show(address)
              + ": "
              + e.getMessage()
              + "; choose another port or address with 'listen', port 0 takes any free one",
          e);
    }
  }

  InetSocketAddress bound() {
    return bound;
  }

  private void run() {
    while (!closed) {
      try {
        admit(server.accept());
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        if (closed) {
          return; // how the end of an accept shows is up to the platform
        }
        LOG.log(Level.WARNING, "cannot accept on {0}: {1}", Address.show(bound), e.getMessage());
        pause();
      } catch (RuntimeException | Error e) { // no heap, most likely
        Errands.survived(LOG, "cannot admit a peer on " + Address.show(bound), e);
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY_MS); // out of descriptors, most likely
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void admit(SocketChannel channel) throws IOException {
    boolean isAdmitted = false;
    try {
      if (handshakes.count() >= maxPending) {
        reject(channel);
        return;
      }
      handshakes.begin(channel);
      Errands.run("verbena-" + context.nodeId() + "-tcp-handshake", () -> shakeHands(channel));
      isAdmitted = true;
    } finally {
      if (!isAdmitted) {
        handshakes.end(channel);
        channel.close();
      }
    }
  }

  private void reject(SocketChannel channel) throws IOException {
    context.rejected(
        Reason.CLOSING,
        channel.getRemoteAddress()
            + ": "
            + maxPending
            + " incoming handshakes are under way; tcp.handshakes.max is "
            + maxPending);
  }

  private void shakeHands(SocketChannel channel) {
    try {
      handshake.accept(channel);
    } finally {
      handshakes.end(channel);
    }
  }

  /** Listens no more; handshakes that are under way fail. */
  void close() {
    closed = true;
    Handshakes.closeQuietly(server);
    awaitEnd();
    handshakes.close();
  }

  /** The port is given back by the thread that listens on it, when it ends. */
  private void awaitEnd() {
    try {
      thread.join(CLOSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
