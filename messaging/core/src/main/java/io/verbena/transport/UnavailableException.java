// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What a transport needs is not there: {@code auto} goes on with the others, and says so. Whoever
 * asked for this one is told the same as an error.
 */
public final class UnavailableException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes one.
   *
   * @param text what was tried, why it failed, what to do
   */
  public UnavailableException(String text, @Nullable Throwable cause) {
    super(text, cause);
  }
}
