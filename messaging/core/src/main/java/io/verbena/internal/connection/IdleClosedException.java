// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.PeerLostException;

/** The session was closed because it was idle: nothing is lost, the caller takes the next one. */
final class IdleClosedException extends PeerLostException {
  private static final long serialVersionUID = 1L;

  private final int peer;

  IdleClosedException(int peer) {
    super("the idle connection to node " + peer + " was closed; send again and it comes back");
    this.peer = peer;
  }

  int peer() {
    return peer;
  }
}
