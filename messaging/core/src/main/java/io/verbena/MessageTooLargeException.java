// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/** A message is larger than the configured limit. */
public class MessageTooLargeException extends VerbenaException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public MessageTooLargeException(String message) {
    super(message);
  }
}
