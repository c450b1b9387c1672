// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/**
 * The peer answered and one of the two sides refused: wrong cluster, key, version or type table.
 */
public class PeerRefusedException extends PeerUnreachableException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public PeerRefusedException(String message) {
    super(message);
  }
}
