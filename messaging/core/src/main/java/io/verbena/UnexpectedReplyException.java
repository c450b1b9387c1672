// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/** The reply is of another type than the one asked for. */
public class UnexpectedReplyException extends VerbenaException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public UnexpectedReplyException(String message) {
    super(message);
  }
}
