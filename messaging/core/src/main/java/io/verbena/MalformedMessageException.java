// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/** Bytes from a peer are not what their type says. */
public class MalformedMessageException extends VerbenaException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public MalformedMessageException(String message) {
    super(message);
  }
}
