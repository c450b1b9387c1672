// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/** The peer was restarted: the life of it that was being talked to is over. */
public class PeerRestartedException extends PeerLostException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public PeerRestartedException(String message) {
    super(message);
  }
}
