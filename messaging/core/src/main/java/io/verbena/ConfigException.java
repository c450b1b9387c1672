// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/** A configuration key or value is not acceptable; the text names it and its range. */
public class ConfigException extends VerbenaException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message that says what failed and what to do. */
  public ConfigException(String message) {
    super(message);
  }
}
