// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/** A bounded queue is full and the caller must not wait for room. */
public class BackPressureException extends VerbenaException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public BackPressureException(String message) {
    super(message);
  }
}
