// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/** The peer's handler answered with an error, threw, or does not exist. */
public class RemoteHandlerException extends VerbenaException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public RemoteHandlerException(String message) {
    super(message);
  }
}
