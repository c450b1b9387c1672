// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.Node;
import io.verbena.bench.control.Line;
import java.util.Collection;

/**
 * How nodes that listen at any port come to know each other: each says where it listens once it has
 * started, and whoever leads them tells all of it to all.
 */
public final class PeerAddresses {

  private static final String ADDRESS = "address.";

  private PeerAddresses() {}

  /** What a node says that has started. */
  public static Line ready(Node node) {
    return new Line("ready").with(ADDRESS + node.id(), node.address());
  }

  /** What all are told, of what they have said. */
  public static Line peers(Collection<Line> ready) {
    Line peers = new Line("peers");
    ready.forEach(line -> peers.with(ADDRESS, line.texts(ADDRESS)));
    return peers;
  }

  /** Has a node know the others; what it answers. */
  public static Line meet(Node node, Line peers) {
    peers.texts(ADDRESS).forEach((peer, address) -> add(node, Integer.parseInt(peer), address));
    return new Line("acquainted");
  }

  private static void add(Node node, int peer, String address) {
    if (peer != node.id()) {
      node.addPeer(peer, address);
    }
  }
}
