// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.Agreement;
import java.io.IOException;

/** What the accepting side's transport answers to the dialling side's attachment. */
@FunctionalInterface
public interface Answer {

  /** Nothing to answer. */
  Answer NOTHING = agreement -> new byte[0];

  /**
   * Makes the attachment that goes back; called at most once in a handshake, after every check.
   *
   * @param agreement what both sides will agree on, with the dialling side's attachment
   * @return at most {@link Handshake#MAX_ATTACHMENT_BYTES} bytes
   * @throws io.verbena.transport.RefusedException to refuse with its reason
   * @throws IOException if there can be no link; the far side is told so
   */
  byte[] answer(Agreement agreement) throws IOException;
}
