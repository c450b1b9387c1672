// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/** The node is closed. */
public class NodeClosedException extends VerbenaException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public NodeClosedException(String message) {
    super(message);
  }
}
