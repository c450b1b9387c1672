// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import java.nio.charset.StandardCharsets;

/** Who proves: stands in each proof, so that no proof of one side can pass for the other's. */
enum Role {
  /** The side that made the channel. */
  DIALLING("verbena handshake 1, dialling side"),
  /** The side that took it. */
  ACCEPTING("verbena handshake 1, accepting side");

  private final String label;

  Role(String label) {
    this.label = label;
  }

  byte[] label() {
    return label.getBytes(StandardCharsets.US_ASCII);
  }

  Role other() {
    return this == DIALLING ? ACCEPTING : DIALLING;
  }
}
