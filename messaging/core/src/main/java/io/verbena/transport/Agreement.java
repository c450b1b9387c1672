// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import org.jspecify.annotations.Nullable;

/**
 * What two nodes agreed on before a link between them is used.
 *
 * @param peer the far node's id
 * @param peerIncarnation which of its lives it is
 * @param held what this side held with that life before the other side's word on sessions could be
 *     on its way: the agreement is void if it holds another session by now, or has another link
 * @param session the agreed session's id, never 0
 * @param version the version of the protocol that both sides speak on the link: segments, lanes and
 *     frames; the same for all links of a session
 * @param peerTypes the description of the far side's type table; null if both have the same one
 * @param attachment what the far side's transport sent along; covered by its proof
 */
public record Agreement(
    int peer,
    long peerIncarnation,
    Held held,
    long session,
    int version,
    @Nullable String peerTypes,
    byte[] attachment) {

  /** Whether both sides held the session already. */
  public boolean resumed() {
    return held.session() == session;
  }
}
