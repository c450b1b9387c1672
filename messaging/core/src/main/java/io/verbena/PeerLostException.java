// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/** The peer is gone or could not be reached again in time; what was not consumed is lost. */
public class PeerLostException extends VerbenaException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public PeerLostException(String message) {
    super(message);
  }
}
