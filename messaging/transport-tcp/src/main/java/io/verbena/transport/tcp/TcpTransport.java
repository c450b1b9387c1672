// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.Agreement;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.handshake.Handshake;
import io.verbena.transport.handshake.Handshake.Answer;
import io.verbena.transport.handshake.Handshake.Offer;
import io.verbena.transport.replica.ReplicaMemory;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One node's TCP: one connection to each peer. */
final class TcpTransport implements Transport {

  private static final Logger LOG = System.getLogger("io.verbena.transport.tcp");

  private final TransportContext context;
  private final TcpSettings settings;
  private final @Nullable Tls tls; // null: links are not encrypted
  private final TcpLoop loop;
  private final @Nullable Acceptor acceptor;
  private final Handshakes dials = new Handshakes();
  private final Handshakes incoming = new Handshakes();
  private volatile boolean closed;

  TcpTransport(TransportContext context) throws IOException {
    this.context = context;
    this.settings = TcpSettings.of(context);
    this.tls = Tls.of(context);
    this.loop = new TcpLoop(context, settings);
    try {
      this.acceptor =
          settings.listen().isEmpty()
              ? null
              : new Acceptor(context, settings, incoming, this::accept);
    } catch (IOException e) {
      loop.close("it never began");
      throw e;
    }
    loop.start("verbena-" + context.nodeId() + "-tcp");
    LOG.log(
        Level.DEBUG, "node {0} listens on {1} (tcp)", String.valueOf(context.nodeId()), address());
  }

  @Override
  public String name() {
    return TcpProvider.NAME;
  }

  @Override
  public String address() {
    return acceptor == null ? "" : Address.show(acceptor.bound());
  }

  @Override
  public boolean canReach(int peer, String address) {
    return !address.isEmpty();
  }

  @Override
  public boolean readsInPlace() {
    return false;
  }

  @Override
  public LaneMemory allocate(int peer, int laneId, long capacity) throws IOException {
    return ReplicaMemory.allocate(capacity);
  }

  @Override
  public ProgressLoop progress() {
    return loop;
  }

  long deadAfterNs() {
    return settings.deadAfter().toNanos();
  }

  // ---------------------------------------------------------------- dialling

  @Override
  public void connect(int peer, String address, Duration timeout) throws IOException {
    long deadlineNs = System.nanoTime() + timeout.toNanos();
    SocketChannel channel = open(peer, address, deadlineNs);
    dials.begin(channel);
    try {
      if (closed) {
        throw new RefusedException(Reason.CLOSING, "node " + context.nodeId() + " is closing");
      }
      Duration rest = Duration.ofNanos(Math.max(1, deadlineNs - System.nanoTime()));
      Wire wire = tls == null ? new Wire.Plain(channel) : tls.dialling(channel, peer, address);
      Agreement agreement =
          new Handshake(context, TcpProvider.NAME, rest).dial(wire, address, peer, Offer.NOTHING);
      TcpLink link = linkOver(wire, " to ");
      start(link, wire, dials, establish(link, agreement, "dialled over the network"));
    } catch (IOException | RuntimeException | Error e) {
      Handshakes.closeQuietly(channel);
      throw e;
    } finally {
      dials.end(channel);
    }
  }

  private SocketChannel open(int peer, String address, long deadlineNs) throws IOException {
    IOException failure = null;
    List<InetSocketAddress> targets = targets(peer, address);
    int left = targets.size();
    for (InetSocketAddress target : targets) {
      long restNs = deadlineNs - System.nanoTime();
      try {
        return open(target, shareNs(restNs, left--));
      } catch (IOException e) {
        String why =
            e instanceof SocketTimeoutException
                ? "no answer in time"
                : String.valueOf(e.getMessage());
        IOException told =
            new IOException(
                "cannot reach node "
                    + peer
                    + " at "
                    + Address.show(target)
                    + ": "
                    + why
                    + "; is it running, and is this the address it listens on?",
                e);
        if (failure != null) {
          told.addSuppressed(failure);
        }
        failure = told;
      }
    }
    throw failure == null ? new IOException("'" + address + "' has no address") : failure;
  }

  /** What the next of so many addresses gets of the time: a silent one leaves some to the rest. */
  static long shareNs(long restNs, int left) {
    return restNs / left;
  }

  private static List<InetSocketAddress> targets(int peer, String address) throws IOException {
    if (address.isEmpty()) {
      throw new IOException(
          "node " + peer + " has no address; name it as peers=" + peer + "=host:port");
    }
    return Address.parse(address).resolve();
  }

  private SocketChannel open(InetSocketAddress target, long timeoutNs) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      prepare(channel); // before connecting: buffer sizes decide the window's scale
      long timeoutMs = Math.clamp(timeoutNs / 1_000_000, 1, Integer.MAX_VALUE);
      connect(channel, target, (int) timeoutMs);
      return channel;
    } catch (IOException e) {
      Handshakes.closeQuietly(channel);
      throw e;
    }
  }

  private static void connect(SocketChannel channel, InetSocketAddress target, int timeoutMs)
      throws IOException {
    try {
      channel.socket().connect(target, timeoutMs);
    } catch (UnsupportedAddressTypeException e) {
      throw Address.notServed(target, e);
    }
  }

  private void prepare(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    int buffer = settings.socketBufferBytes();
    if (buffer > 0) {
      channel.setOption(StandardSocketOptions.SO_SNDBUF, buffer);
      channel.setOption(StandardSocketOptions.SO_RCVBUF, buffer);
    }
  }

  // ---------------------------------------------------------------- accepting

  private void accept(SocketChannel channel) {
    try {
      prepare(channel);
      acceptOn(channel);
    } catch (IOException e) {
      // The handshake has reported it, or the link was not wanted any more.
      LOG.log(Level.DEBUG, "incoming connection: {0}", e.getMessage());
      Handshakes.closeQuietly(channel);
    } catch (RuntimeException e) {
      Handshakes.closeQuietly(channel);
      throw e;
    }
  }

  /**
   * The node takes the link before the far side learns that it is accepted: a dialler that learns
   * it can be sure of the session.
   */
  private void acceptOn(SocketChannel channel) throws IOException {
    String from = Address.show((InetSocketAddress) channel.getRemoteAddress());
    Wire wire = tls == null ? new Wire.Plain(channel) : tls.accepting(channel, from);
    TcpLink link = linkOver(wire, " from ");
    @Nullable LinkEvents[] events = {null};
    try {
      new Handshake(context, TcpProvider.NAME, settings.handshakeTimeout())
          .accept(
              wire,
              from,
              agreement -> {
                checkName(wire, agreement.peer());
                events[0] = establish(link, agreement, "accepted from the network");
                return Answer.NOTHING.answer(agreement);
              });
    } catch (IOException | RuntimeException e) {
      Handshakes.closeQuietly(channel);
      if (events[0] == null) {
        throw e;
      }
      link.fail(broken("the handshake broke at its end", e)); // the node hears of it below
    }
    if (events[0] != null) {
      start(link, wire, incoming, events[0]);
    }
  }

  /** Who says to be a node must have that node's certificate. */
  private void checkName(Wire wire, int peer) throws RefusedException {
    if (tls != null && wire instanceof TlsWire encrypted) {
      tls.requireName(encrypted, peer);
    }
  }

  // ---------------------------------------------------------------- links

  private TcpLink linkOver(Wire wire, String direction) throws IOException {
    SocketChannel channel = wire.socket();
    String path =
        (tls == null ? "tcp " : "tcp with TLS ")
            + Address.show((InetSocketAddress) channel.getLocalAddress())
            + direction
            + Address.show((InetSocketAddress) channel.getRemoteAddress());
    return new TcpLink(this, loop, wire, path, settings.lanes());
  }

  private LinkEvents establish(TcpLink link, Agreement agreement, String reason)
      throws RefusedException {
    try {
      return context.established(agreement, link, reason);
    } catch (RefusedException e) {
      link.abandon();
      throw e;
    }
  }

  private void start(TcpLink link, Wire wire, Handshakes handshakes, LinkEvents events) {
    if (!handshakes.end(wire.socket())) {
      link.close(closedReason());
    }
    try {
      wire.stopBlocking();
    } catch (IOException e) {
      link.fail(broken("the connection broke at once", e));
    }
    link.start(events);
    if (closed) {
      link.close(closedReason());
      loop.endLatecomers();
    }
  }

  /** Closing closes connections whose handshake has not ended: that is why, not how it shows. */
  private String broken(String what, Exception e) {
    return closed ? closedReason() : what + ": " + e.getMessage();
  }

  private String closedReason() {
    return "node " + context.nodeId() + " is closed";
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    if (acceptor != null) {
      acceptor.close();
    }
    dials.close();
    loop.close(closedReason());
  }
}
