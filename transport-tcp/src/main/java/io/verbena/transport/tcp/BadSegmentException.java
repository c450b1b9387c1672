// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

/** The far side sent something against the protocol. */
final class BadSegmentException extends Exception {
  private static final long serialVersionUID = 1L;

  BadSegmentException(String text) {
    super(text);
  }
}
