// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.transport.Agreement;
import io.verbena.transport.InboundLane;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.RefusedException;
import io.verbena.transport.TransportContext;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes everything on, and remembers the links that were established. */
public final class TappedContext extends ForwardingContext {

  private record Tapped(String cluster, int node, int peer, Link link) {}

  private record Place(String cluster, int node) {}

  private record Way(String cluster, int from, int to) {}

  private static final List<Tapped> LINKS = new CopyOnWriteArrayList<>();
  private static final Set<Place> ISOLATED = ConcurrentHashMap.newKeySet();
  private static final Map<Way, AtomicInteger> LACKS = new ConcurrentHashMap<>();

  /** Taps a context. */
  public TappedContext(TransportContext context) {
    super(context);
  }

  /** Takes down every link between two nodes of a cluster; returns how many ends there were. */
  static int cut(String cluster, int a, int b) {
    int cut = 0;
    for (Tapped end : LINKS) {
      if (end.cluster.equals(cluster) && isBetween(end, a, b) && LINKS.remove(end)) {
        end.link.close("cut by the test");
        cut++;
      }
    }
    return cut;
  }

  /** Takes all links of a node down and lets no new one come up, or lets them again. */
  static void isolate(String cluster, int node, boolean cutOff) {
    Place place = new Place(cluster, node);
    if (!cutOff) {
      ISOLATED.remove(place);
      return;
    }
    ISOLATED.add(place);
    for (Tapped end : LINKS) {
      if (end.cluster.equals(cluster) && (end.node == node || end.peer == node)) {
        cut(cluster, end.node, end.peer);
      }
    }
  }

  /** So many times a node has no memory for a lane of another. */
  static void lackMemory(String cluster, int from, int to, int times) {
    LACKS.put(new Way(cluster, from, to), new AtomicInteger(times));
  }

  /** How often that is still to come. */
  static int lacksLeft(String cluster, int from, int to) {
    return LACKS.getOrDefault(new Way(cluster, from, to), new AtomicInteger()).get();
  }

  /** Forgets the links of a cluster. */
  static void forget(String cluster) {
    ISOLATED.removeIf(place -> place.cluster.equals(cluster));
    LINKS.removeIf(end -> end.cluster.equals(cluster));
    LACKS.keySet().removeIf(way -> way.cluster.equals(cluster));
  }

  private static boolean isBetween(Tapped end, int a, int b) {
    return (end.node == a && end.peer == b) || (end.node == b && end.peer == a);
  }

  @Override
  public LinkEvents established(Agreement agreement, Link link, String reason)
      throws RefusedException {
    int peer = agreement.peer();
    Tapped end = new Tapped(cluster(), nodeId(), peer, link);
    LINKS.add(end); // first: a test may cut it as soon as it hears of it
    try {
      if (isIsolated(nodeId()) || isIsolated(peer)) {
        throw new RefusedException(RefusedException.Reason.CLOSING, "isolated by the test");
      }
      LinkEvents events = super.established(agreement, link, reason);
      AtomicInteger lacks = LACKS.get(new Way(cluster(), peer, nodeId()));
      return lacks == null ? events : new ScarceMemory(events, lacks);
    } catch (RefusedException | RuntimeException e) {
      LINKS.remove(end);
      throw e;
    }
  }

  private boolean isIsolated(int node) {
    return ISOLATED.contains(new Place(cluster(), node));
  }

  /** Fails to make the memory of lanes for a while, in the middle of what arrives. */
  private record ScarceMemory(LinkEvents events, AtomicInteger lacks) implements LinkEvents {

    @Override
    public InboundLane inbound(int laneId, long capacity, MemorySource memory) throws IOException {
      if (lacks.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new OutOfMemoryError("by the test");
      }
      return events.inbound(laneId, capacity, memory);
    }

    @Override
    public void finished(int laneId, long finalPosition) {
      events.finished(laneId, finalPosition);
    }

    @Override
    public void broken(String reason) {
      events.broken(reason);
    }

    @Override
    public void down(String reason) {
      events.down(reason);
    }
  }
}
