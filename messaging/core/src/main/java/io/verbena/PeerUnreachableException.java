// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/** No connection to the peer could be made. */
public class PeerUnreachableException extends PeerLostException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public PeerUnreachableException(String message) {
    super(message);
  }
}
