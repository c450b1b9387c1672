// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.UnknownPeerException;
import io.verbena.internal.config.PeerList;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Who the peers of a node are, and where they are reached. Usable from any thread. */
final class Peers {

  private static final int MAX_NODE_ID = 0xFFFF;

  private final int self;
  private final Map<Integer, String> addresses = new ConcurrentHashMap<>();
  private final Map<Integer, String> givenUp = new ConcurrentHashMap<>(); // and why

  /**
   * @param self the node itself, which always reaches itself
   */
  Peers(int self, Map<Integer, String> configured) {
    this.self = self;
    this.addresses.putAll(configured);
  }

  void add(int peer, String address) {
    checkId(peer);
    addresses.put(peer, PeerList.checkedAddress(peer, address));
    givenUp.remove(peer);
  }

  void remove(int peer) {
    checkId(peer);
    addresses.remove(peer);
    givenUp.remove(peer);
  }

  void giveUp(int peer, String reason) {
    checkId(peer);
    if (peer == self) {
      throw new IllegalArgumentException("node " + self + " cannot give itself up");
    }
    givenUp.put(peer, reason);
    addresses.remove(peer);
  }

  /** Why the peer was given up; null if it was not. */
  @Nullable String givenUpBecause(int peer) {
    return givenUp.get(peer);
  }

  /** Where the peer is reached; empty if nowhere but on this host; null if it is no peer. */
  @Nullable String addressOf(int peer) {
    return peer == self ? "" : addresses.get(peer);
  }

  /** Throws unless this is a peer, was one that is given up, or is the node itself. */
  void check(int peer) {
    checkId(peer);
    if (addressOf(peer) == null && !givenUp.containsKey(peer)) {
      throw new UnknownPeerException(
          "node "
              + peer
              + " is no peer of node "
              + self
              + "; add it with addPeer or the key 'peers'");
    }
  }

  static void checkId(int node) {
    if (node < 0 || node > MAX_NODE_ID) {
      throw new UnknownPeerException("node id " + node + "; ids are 0 to 65535");
    }
  }
}
