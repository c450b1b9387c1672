// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.lane;

/** A peer has written bytes that break the protocol. */
public final class ProtocolException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Makes one that says what was found and what was allowed. */
  public ProtocolException(String message) {
    super(message);
  }
}
