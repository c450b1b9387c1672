// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.contest;

/**
 * A contestant that does not take part.
 *
 * @param name of the contestant, or of the peer with all its systems
 * @param reason why
 * @param install the command that mends it; empty if there is none
 */
public record Skipped(String name, String reason, String install) {

  /** One line for people. */
  public String text() {
    return name + ": " + reason + (install.isEmpty() ? "" : "; install it:  " + install);
  }
}
