// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/** No reply came in time. */
public class RequestTimeoutException extends VerbenaException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public RequestTimeoutException(String message) {
    super(message);
  }
}
