// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/**
 * A message of a peer with another version of the program holds what this side's version cannot
 * express: an unknown enum constant, an unknown record of a sealed interface, or a record whose
 * constructor refuses the default of a component that the peer does not write. It concerns this
 * message alone.
 */
public class IncompatibleMessageException extends VerbenaException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a text for people. */
  public IncompatibleMessageException(String text) {
    super(text);
  }
}
