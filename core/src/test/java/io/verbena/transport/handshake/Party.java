// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.ClusterKey;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.TransportContext;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** A node as the handshake sees it. */
class Party implements TransportContext {

  record Rejected(Reason reason, String text) {}

  int id;
  long incarnation;
  String cluster = "test";
  ClusterKey key;
  String types = "types 1";
  final Set<Integer> dialling = new HashSet<>();
  final Map<Integer, Long> sessions = new HashMap<>();
  final List<Rejected> rejected = new CopyOnWriteArrayList<>();

  Party(int id) {
    this.id = id;
    this.incarnation = 1000 + id;
  }

  Party key(String secret) {
    key = new ClusterKey(secret.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    return this;
  }

  Party types(String description) {
    types = description;
    return this;
  }

  @Override
  public int nodeId() {
    return id;
  }

  @Override
  public long incarnation() {
    return incarnation;
  }

  @Override
  public String cluster() {
    return cluster;
  }

  @Override
  public ClusterKey clusterKey() {
    return key;
  }

  @Override
  public long typeFingerprint() {
    return types.hashCode();
  }

  @Override
  public String typeDescription() {
    return types;
  }

  @Override
  public String typeDifference(String peerDescription) {
    return "'" + types + "' here, '" + peerDescription + "' there";
  }

  @Override
  public String setting(ConfigKey configKey) {
    return configKey.defaultValue();
  }

  @Override
  public long idleSpinNs() {
    return 0;
  }

  @Override
  public boolean isDialling(int peer) {
    return dialling.contains(peer);
  }

  @Override
  public long sessionWith(int peer, long peerIncarnation) {
    return sessions.getOrDefault(peer, 0L);
  }

  @Override
  public LinkEvents established(
      int peer, long peerIncarnation, long held, long session, Link link, String reason) {
    throw new AssertionError("a handshake establishes nothing");
  }

  @Override
  public void rejected(Reason reason, String text) {
    rejected.add(new Rejected(reason, text));
  }

  @Override
  public int moveBacklog() {
    return 0;
  }
}
