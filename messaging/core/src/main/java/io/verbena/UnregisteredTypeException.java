// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/** A message's class is not in the type table of this node, or of the node it is for. */
public class UnregisteredTypeException extends VerbenaException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public UnregisteredTypeException(String message) {
    super(message);
  }
}
