// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.io.IOException;

/**
 * The peer answered, and one of the two sides refused to go on; trying again will not help soon.
 */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** Why. */
  public enum Reason {
    /** Speaks another version of the protocol, or something else entirely. */
    PROTOCOL,
    /** Belongs to another cluster, or is not the node that was dialled. */
    IDENTITY,
    /** Could not prove that it has the cluster key. */
    KEY,
    /** Has another type table. */
    TYPES,
    /** Both sides dialled at once and the other dial goes first; wait for it. */
    CROSSED,
    /** The node is closing or has too many connections. */
    CLOSING
  }

  /** Makes one with a text for people. */
  public RefusedException(Reason reason, String text) {
    super(text);
    this.reason = reason;
  }

  /** Why. */
  public Reason reason() {
    return reason;
  }
}
