// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/** A type cannot be a message; the text names the component and the reason. */
public class UnsupportedTypeException extends VerbenaException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public UnsupportedTypeException(String message) {
    super(message);
  }
}
