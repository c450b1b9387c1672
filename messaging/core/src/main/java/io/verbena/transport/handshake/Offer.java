// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import java.io.IOException;

/** What the dialling side's transport sends along once the far side has proved itself. */
@FunctionalInterface
public interface Offer {

  /** Nothing to send along. */
  Offer NOTHING = (peer, peerIncarnation) -> new byte[0];

  /**
   * Makes the attachment; called at most once in a handshake.
   *
   * @return at most {@link Handshake#MAX_ATTACHMENT_BYTES} bytes
   * @throws IOException if there can be no link; the far side is told, and the dial fails with it
   */
  byte[] offer(int peer, long peerIncarnation) throws IOException;
}
