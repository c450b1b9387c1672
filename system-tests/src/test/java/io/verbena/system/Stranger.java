// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import io.verbena.MessageTypes;
import io.verbena.testkit.StillContext;
import io.verbena.testkit.TestMessages;

/** A node that does the handshake and then whatever the test wants. */
final class Stranger extends StillContext {

  private static final MessageTypes TYPES = TestMessages.types();

  private final long incarnation;

  /**
   * Makes one.
   *
   * @param nodeId the id it goes by
   * @param incarnation which of its lives it pretends to be in
   */
  Stranger(int nodeId, long incarnation) {
    super(nodeId);
    this.incarnation = incarnation;
  }

  @Override
  public long incarnation() {
    return incarnation;
  }

  @Override
  public String cluster() {
    return "system-test";
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
}
