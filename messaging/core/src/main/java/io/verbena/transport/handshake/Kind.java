// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import org.jspecify.annotations.Nullable;

/** The handshake's messages. */
enum Kind {
  /** Dialling side: who I am and whom I want. */
  HELLO(1, 1024, false),
  /** Accepting side: who I am, and my proof. */
  CHALLENGE(2, 1024, true),
  /** Dialling side: my proof, the session I hold or propose, the attachment. */
  PROOF(3, 64 * 1024, true),
  /** Accepting side: the agreed session, the attachment. */
  ACCEPT(4, 64 * 1024, true),
  /** Either side: no, and why. */
  REFUSE(5, 4096, true),
  /** Either side after both proofs, if the fingerprints differ: my types. */
  TYPES(6, 4 * 1024 * 1024, true);

  final int code;
  final int maxBodyBytes;
  final boolean isProved; // the body ends with a proof

  Kind(int code, int maxBodyBytes, boolean isProved) {
    this.code = code;
    this.maxBodyBytes = maxBodyBytes;
    this.isProved = isProved;
  }

  static @Nullable Kind of(int code) {
    for (Kind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    return null;
  }
}
