// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

/** How a thread waits for messages: what {@code idle.spin} is set to. */
public enum WaitKind {
  /** Spins for as long as the default says, then blocks. */
  ADAPTIVE(""),
  /** Always spins. */
  SPIN("10s"),
  /** Blocks at once. */
  BLOCK("0us");

  private final String idleSpin;

  WaitKind(String idleSpin) {
    this.idleSpin = idleSpin;
  }

  /** The value of {@code idle.spin}; empty for its default. */
  public String idleSpin() {
    return idleSpin;
  }
}
