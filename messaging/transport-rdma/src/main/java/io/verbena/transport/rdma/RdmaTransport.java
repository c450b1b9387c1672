// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.transport.Agreement;
import io.verbena.transport.Errands;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.UnavailableException;
import io.verbena.transport.handshake.Handshake;
import io.verbena.transport.handshake.Handshake.Answer;
import io.verbena.transport.handshake.Handshake.Offer;
import io.verbena.transport.rdma.internal.Endpoint;
import io.verbena.transport.rdma.internal.News;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One node's verbs: one connection to each peer. */
final class RdmaTransport implements Transport {

  private static final Logger LOG = System.getLogger("io.verbena.transport.rdma");
  private static final long CLOSE_NS = 1_000_000_000;
  private static final long LINGER_NS = 200_000_000;

  private final TransportContext context;
  private final RdmaSettings settings;
  private final Endpoint endpoint;
  private final RdmaLoop loop;
  private final Dials dials = new Dials();
  private final Map<Integer, RdmaLink> up = new ConcurrentHashMap<>();
  private final String localAddress;
  private volatile Map<String, Long> countedToTheEnd = Map.of();
  private volatile boolean closed;

  RdmaTransport(TransportContext context) throws IOException {
    this.context = context;
    this.settings = new RdmaSettings(context);
    settings.check();
    this.endpoint = open();
    endpoint.shareAs(context.incarnation());
    this.localAddress = endpoint.address();
    this.loop = new RdmaLoop(context, this, endpoint);
    loop.start("verbena-" + context.nodeId() + "-rdma");
    for (String line : endpoint.description()) {
      LOG.log(Level.DEBUG, "node {0}: {1}", String.valueOf(context.nodeId()), line);
    }
  }

  private Endpoint open() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      return Endpoint.open(settings.toStruct(arena));
    } catch (IOException e) {
      String why = OptionNames.asKeys(String.valueOf(e.getMessage()));
      throw settings.isChosenByName() ? new IOException(why, e) : new UnavailableException(why, e);
    }
  }

  @Override
  public String name() {
    return RdmaProvider.NAME;
  }

  @Override
  public String address() {
    return settings.listens() ? localAddress : "";
  }

  String localAddress() {
    return localAddress;
  }

  @Override
  public boolean canReach(int peer, String address) {
    return !address.isEmpty();
  }

  @Override
  public boolean readsInPlace() {
    return false;
  }

  /** Registering memory takes longer than a lane may stay full. */
  @Override
  public boolean growsLanes() {
    return false;
  }

  @Override
  public LaneMemory allocate(int peer, int laneId, long capacity) throws IOException {
    return endpoint.allocate(capacity);
  }

  @Override
  public ProgressLoop progress() {
    return loop;
  }

  @Override
  public Map<String, Long> counters() {
    Map<String, Long> counted = endpoint.counters();
    return counted.isEmpty() ? countedToTheEnd : Counted.named(counted);
  }

  RdmaLink newLink(long id) {
    return new RdmaLink(this, loop, endpoint, id, settings.lanes(endpoint));
  }

  // ---------------------------------------------------------------- dialling

  @Override
  public void connect(int peer, String address, Duration timeout) throws IOException {
    if (address.isEmpty()) {
      throw new IOException(
          "node " + peer + " has no address; name it as peers=" + peer + "=host:port");
    }
    long deadlineNs = System.nanoTime() + timeout.toNanos();
    RdmaLink link = reach(peer, address, timeout);
    try {
      Duration rest = Duration.ofNanos(Math.max(1, deadlineNs - System.nanoTime()));
      Agreement agreement =
          new Handshake(context, RdmaProvider.NAME, rest)
              .dial(link.channel(), address, peer, Offer.NOTHING);
      link.start(establish(link, agreement, "dialled over verbs"));
    } catch (IOException | RuntimeException e) {
      link.close(String.valueOf(e.getMessage()));
      throw e;
    }
    closeIfClosed(link);
  }

  private RdmaLink reach(int peer, String address, Duration timeout) throws IOException {
    CompletableFuture<RdmaLink> dial = dials.begin(peer);
    try {
      if (closed) {
        throw new RefusedException(Reason.CLOSING, "node " + context.nodeId() + " is closing");
      }
      if (up.containsKey(peer)) {
        throw new RefusedException(Reason.CROSSED, "a link with node " + peer + " is coming up");
      }
      endpoint.dial(peer, address, timeout.toNanos());
      return Dials.await(dial, "cannot reach node " + peer + " at " + address, timeout);
    } finally {
      dials.end(peer, dial);
    }
  }

  // ---------------------------------------------------------------- by the loop

  /** A connection is up: whoever dialled begins the handshake. */
  void up(News news, RdmaLink link) {
    link.describe(news.dialled(), news.text());
    up.put(news.peer(), link);
    if (news.dialled()) {
      if (!dials.up(news.peer(), link)) {
        link.close("node " + context.nodeId() + " has given the dial up");
      }
      return;
    }
    dials.failed(
        news.peer(),
        new RefusedException(
            Reason.CROSSED, "node " + news.peer() + " dials itself, and goes first"));
    String name = "verbena-" + context.nodeId() + "-rdma-handshake";
    Errands.run(name, () -> accept(link, news.text()));
  }

  void down(News news, @Nullable RdmaLink link) {
    if (link != null) {
      up.remove(news.peer(), link);
    }
    // A dial that found the former connection still there has nothing to wait for.
    dials.failed(news.peer(), new IOException("the connection went down: " + news.text()));
  }

  void dialFailed(News news) {
    dials.failed(news.peer(), Dials.failure(news));
  }

  // ---------------------------------------------------------------- accepting

  /**
   * The node takes the link before the far side learns that it is accepted: a dialler that learns
   * it can be sure of the session.
   */
  private void accept(RdmaLink link, String from) {
    @Nullable LinkEvents[] events = {null};
    try {
      new Handshake(context, RdmaProvider.NAME, settings.handshakeTimeout())
          .accept(
              link.channel(),
              from,
              agreement -> {
                events[0] = establish(link, agreement, "accepted over verbs");
                return Answer.NOTHING.answer(agreement);
              });
    } catch (IOException | RuntimeException e) {
      // The handshake has reported it, or the link was not wanted any more.
      LOG.log(Level.DEBUG, "incoming connection: {0}", e.getMessage());
      link.awaitDown(LINGER_NS); // the far side has its reason, and leaves
      link.close("the handshake broke at its end: " + e.getMessage());
    }
    if (events[0] != null) {
      link.start(events[0]); // the node hears of its end, too
      closeIfClosed(link);
    }
  }

  // ---------------------------------------------------------------- links

  private LinkEvents establish(RdmaLink link, Agreement agreement, String reason)
      throws RefusedException {
    return context.established(agreement, link, reason);
  }

  /** A link that came up while the node was being closed. */
  private void closeIfClosed(RdmaLink link) {
    if (closed) {
      link.close("node " + context.nodeId() + " is closed");
      loop.endLatecomers();
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    String reason = "node " + context.nodeId() + " is closed";
    dials.failAll(new RefusedException(Reason.CLOSING, reason));
    loop.close(reason, CLOSE_NS, this::closeEndpoint);
  }

  private void closeEndpoint() {
    countedToTheEnd = counters();
    endpoint.close();
  }
}
