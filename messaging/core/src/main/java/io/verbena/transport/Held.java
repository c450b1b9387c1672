// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

/**
 * What a node holds with one life of a peer at a moment. Handshakes overlap: who remembers this and
 * looks again sees whether another one has ended meanwhile.
 *
 * @param session the session's id, 0 if there is none
 * @param link the number of the link that the session has, 0 if it has none; another link with the
 *     same peer has another number. It means nothing to other nodes.
 */
public record Held(long session, long link) {

  /** No session. */
  public static final Held NOTHING = new Held(0, 0);

  /** Whether the session has a link. */
  public boolean isLinked() {
    return link != 0;
  }
}
