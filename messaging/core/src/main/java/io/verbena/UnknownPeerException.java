// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/** The node id is not among the peers. */
public class UnknownPeerException extends VerbenaException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public UnknownPeerException(String message) {
    super(message);
  }
}
