// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.ClusterKey;
import io.verbena.transport.Held;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.StillContext;
import io.verbena.transport.Versions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** A node as the handshake sees it. */
class Party extends StillContext {

  record Rejected(Reason reason, String text) {}

  int id;
  long incarnation;
  String cluster = "test";
  ClusterKey key;
  String types = "types 1";
  Versions versions = Versions.SPOKEN;
  final Set<Integer> dialling = new HashSet<>();
  final Map<Integer, Held> held = new HashMap<>();
  final List<Integer> answered = new CopyOnWriteArrayList<>();
  final List<Rejected> rejected = new CopyOnWriteArrayList<>();

  Party(int id) {
    super(0);
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
  public Versions versions() {
    return versions;
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

  /** As two versions of one program whose names begin alike. */
  @Override
  public String typeConflict(String peerDescription) {
    boolean isRelated = types.charAt(0) == '*' && peerDescription.charAt(0) == '*';
    return isRelated ? null : typeDifference(peerDescription);
  }

  @Override
  public boolean isDialling(int peer) {
    return dialling.contains(peer);
  }

  @Override
  public Held held(int peer, long peerIncarnation) {
    return held.getOrDefault(peer, Held.NOTHING);
  }

  @Override
  public void answered(int peer) {
    answered.add(peer);
  }

  @Override
  public void rejected(Reason reason, String text) {
    rejected.add(new Rejected(reason, text));
  }
}
