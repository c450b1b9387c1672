// SPDX-License-Identifier: Apache-2.0
package io.verbena;

import org.jspecify.annotations.Nullable;

/** The root of everything Verbena throws for broken infrastructure or misuse. */
public class VerbenaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public VerbenaException(String message) {
    super(message);
  }

  /** Makes one with a cause. */
  public VerbenaException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
