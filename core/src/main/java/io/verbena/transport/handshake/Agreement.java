// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

/**
 * What a handshake came to.
 *
 * @param peer the far node's id
 * @param peerIncarnation which of its lives it is
 * @param session the agreed session's id, never 0
 * @param resumed whether both sides held that session already
 * @param attachment what the far side's transport sent along; covered by its proof
 */
public record Agreement(
    int peer, long peerIncarnation, long session, boolean resumed, byte[] attachment) {}
