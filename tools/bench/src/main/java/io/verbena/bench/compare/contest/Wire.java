// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.contest;

import java.util.Locale;

/** What carries the messages: only systems over the same kind are compared. */
public enum Wire {
  /** Memory that processes of one host share, or Unix sockets. */
  SHM,
  /** TCP or UDP sockets on the loopback interface. */
  TCP;

  /** The name in files and tables. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static Wire parse(String text) {
    for (Wire wire : values()) {
      if (wire.text().equals(text)) {
        return wire;
      }
    }
    throw new IllegalArgumentException("wire '" + text + "': expected shm or tcp");
  }
}
