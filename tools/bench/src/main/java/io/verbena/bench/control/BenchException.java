// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.control;

/** A measurement could not be made. */
public final class BenchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed. */
  public BenchException(String message) {
    super(message);
  }
}
