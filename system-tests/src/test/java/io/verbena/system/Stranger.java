// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import io.verbena.MessageTypes;
import io.verbena.testkit.TestMessages;
import io.verbena.transport.ClusterKey;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.RefusedException;
import io.verbena.transport.TransportContext;
import org.jspecify.annotations.Nullable;

/**
 * A node that does the handshake and then whatever the test wants.
 *
 * @param nodeId the id it goes by
 * @param incarnation which of its lives it pretends to be in
 */
record Stranger(int nodeId, long incarnation) implements TransportContext {

  private static final MessageTypes TYPES = TestMessages.types();

  @Override
  public String cluster() {
    return "system-test";
  }

  @Override
  public @Nullable ClusterKey clusterKey() {
    return null;
  }

  @Override
  public long typeFingerprint() {
    return TYPES.fingerprint();
  }

  @Override
  public String typeDescription() {
    return TYPES.description();
  }

  @Override
  public String typeDifference(String peerDescription) {
    return MessageTypes.firstDifference(TYPES.description(), peerDescription);
  }

  @Override
  public String setting(ConfigKey key) {
    return key.defaultValue();
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
  public long sessionWith(int peer, long peerIncarnation) {
    return 0;
  }

  @Override
  public LinkEvents established(
      int peer, long peerIncarnation, long held, long session, Link link, String reason) {
    throw new UnsupportedOperationException("the test writes to the channel itself");
  }

  @Override
  public void rejected(RefusedException.Reason reason, String text) {}

  @Override
  public int moveBacklog() {
    return 0;
  }
}
