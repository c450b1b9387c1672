// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.replica;

/** The far side sent something against the protocol. */
public final class BadSegmentException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Makes one with a text for people. */
  public BadSegmentException(String text) {
    super(text);
  }
}
