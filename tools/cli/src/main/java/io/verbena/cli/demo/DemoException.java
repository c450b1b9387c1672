// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

/** The demo could not be run. */
public final class DemoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public DemoException(String message) {
    super(message);
  }
}
