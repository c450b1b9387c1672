// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A context for loops without a node: nothing is configured, nothing queued, nobody known. */
public class StillContext implements TransportContext {

  private final long idleSpinNs;

  public StillContext(long idleSpinNs) {
    this.idleSpinNs = idleSpinNs;
  }

  @Override
  public int nodeId() {
    return 1;
  }

  @Override
  public long incarnation() {
    return 1;
  }

  @Override
  public String cluster() {
    return "test";
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
  public String setting(ConfigKey key) {
    return key.defaultValue();
  }

  @Override
  public long idleSpinNs() {
    return idleSpinNs;
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
  public LinkEvents established(Agreement agreement, Link link, String reason) {
    throw new UnsupportedOperationException("there is no node to establish a link with");
  }

  @Override
  public void rejected(RefusedException.Reason reason, String text) {}

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
