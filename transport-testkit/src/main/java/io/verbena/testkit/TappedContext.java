// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.RefusedException;
import io.verbena.transport.TransportContext;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes everything on, and remembers the links that were established. */
public final class TappedContext extends ForwardingContext {

  private record Tapped(String cluster, int node, int peer, Link link) {}

  private record Place(String cluster, int node) {}

  private static final List<Tapped> LINKS = new CopyOnWriteArrayList<>();
  private static final Set<Place> ISOLATED = ConcurrentHashMap.newKeySet();

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

  /** Forgets the links of a cluster. */
  static void forget(String cluster) {
    ISOLATED.removeIf(place -> place.cluster.equals(cluster));
    LINKS.removeIf(end -> end.cluster.equals(cluster));
  }

  private static boolean isBetween(Tapped end, int a, int b) {
    return (end.node == a && end.peer == b) || (end.node == b && end.peer == a);
  }

  @Override
  public LinkEvents established(
      int peer, long peerIncarnation, long held, long session, Link link, String reason)
      throws RefusedException {
    if (isIsolated(nodeId()) || isIsolated(peer)) {
      throw new RefusedException(RefusedException.Reason.CLOSING, "isolated by the test");
    }
    Tapped end = new Tapped(cluster(), nodeId(), peer, link);
    LINKS.add(end); // first: a test that hears of the link may cut it at once
    try {
      return super.established(peer, peerIncarnation, held, session, link, reason);
    } catch (RefusedException | RuntimeException e) {
      LINKS.remove(end);
      throw e;
    }
  }

  private boolean isIsolated(int node) {
    return ISOLATED.contains(new Place(cluster(), node));
  }
}
