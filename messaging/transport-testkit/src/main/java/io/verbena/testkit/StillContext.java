// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.transport.Agreement;
import io.verbena.transport.ClusterKey;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.Held;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.TransportContext;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * For tests of a transport without a node: has an id and settings, knows nobody, queues nothing and
 * wants no link. Tests override what they are about.
 */
public class StillContext implements TransportContext {

  private final int nodeId;
  private final Map<String, String> settings = new ConcurrentHashMap<>();

  /** A node of this id. */
  public StillContext(int nodeId) {
    this.nodeId = nodeId;
  }

  /** Sets a key; the others have their defaults. */
  public StillContext set(String key, String value) {
    settings.put(key, value);
    return this;
  }

  @Override
  public final int nodeId() {
    return nodeId;
  }

  @Override
  public long incarnation() {
    return 1000L + nodeId;
  }

  @Override
  public String cluster() {
    return "still";
  }

  @Override
  public @Nullable ClusterKey clusterKey() {
    return null;
  }

  @Override
  public long typeFingerprint() {
    return 0;
  }

  @Override
  public String typeDescription() {
    return "";
  }

  @Override
  public String typeDifference(String peerDescription) {
    return "";
  }

  @Override
  public @Nullable String typeConflict(String peerDescription) {
    return "";
  }

  @Override
  public final String setting(ConfigKey key) {
    return settings.getOrDefault(key.name(), key.defaultValue());
  }

  @Override
  public long idleSpinNs() {
    return 0;
  }

  @Override
  public boolean isDialling(int peer) {
    return false;
  }

  @Override
  public Held held(int peer, long peerIncarnation) {
    return Held.NOTHING;
  }

  @Override
  public void answered(int peer) {}

  @Override
  public LinkEvents established(Agreement agreement, Link link, String reason)
      throws RefusedException {
    throw new RefusedException(Reason.CROSSED, "the test wants no link");
  }

  @Override
  public void rejected(Reason reason, String text) {}

  @Override
  public void freeLater(long bytes, Runnable release) {
    release.run();
  }

  @Override
  public int moveBacklog() {
    return 0;
  }

  @Override
  public void lookSoon(BooleanSupplier look) {}
}
