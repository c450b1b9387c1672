// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.transport.Agreement;
import io.verbena.transport.ClusterKey;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.Held;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.RefusedException;
import io.verbena.transport.TransportContext;
import io.verbena.transport.Versions;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Passes everything on to another context. What stands in between overrides what it is about. */
public class ForwardingContext implements TransportContext {

  private final TransportContext context;

  /** Stands before a context. */
  public ForwardingContext(TransportContext context) {
    this.context = context;
  }

  @Override
  public LinkEvents established(Agreement agreement, Link link, String reason)
      throws RefusedException {
    return context.established(agreement, link, reason);
  }

  @Override
  public void contest(int peer, long newIncarnation) throws RefusedException {
    context.contest(peer, newIncarnation);
  }

  @Override
  public int nodeId() {
    return context.nodeId();
  }

  @Override
  public long incarnation() {
    return context.incarnation();
  }

  @Override
  public String cluster() {
    return context.cluster();
  }

  @Override
  public @Nullable ClusterKey clusterKey() {
    return context.clusterKey();
  }

  @Override
  public Versions versions() {
    return context.versions();
  }

  @Override
  public long typeFingerprint() {
    return context.typeFingerprint();
  }

  @Override
  public String typeDescription() {
    return context.typeDescription();
  }

  @Override
  public String typeDifference(String peerDescription) {
    return context.typeDifference(peerDescription);
  }

  @Override
  public @Nullable String typeConflict(String peerDescription) {
    return context.typeConflict(peerDescription);
  }

  @Override
  public String setting(ConfigKey key) {
    return context.setting(key);
  }

  @Override
  public long idleSpinNs() {
    return context.idleSpinNs();
  }

  @Override
  public int idleLooks() {
    return context.idleLooks();
  }

  @Override
  public boolean isDialling(int peer) {
    return context.isDialling(peer);
  }

  @Override
  public Held held(int peer, long peerIncarnation) {
    return context.held(peer, peerIncarnation);
  }

  @Override
  public void answered(int peer) {
    context.answered(peer);
  }

  @Override
  public void rejected(RefusedException.Reason reason, String text) {
    context.rejected(reason, text);
  }

  @Override
  public void freeLater(long bytes, Runnable release) {
    context.freeLater(bytes, release);
  }

  @Override
  public int moveBacklog() {
    return context.moveBacklog();
  }

  @Override
  public void received() {
    context.received();
  }

  @Override
  public void roleIsFree() {
    context.roleIsFree();
  }

  @Override
  public void lookSoon(BooleanSupplier look) {
    context.lookSoon(look);
  }
}
