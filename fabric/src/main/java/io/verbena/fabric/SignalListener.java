// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

/** Hears of puts with a signal. */
@FunctionalInterface
public interface SignalListener {

  /**
   * A peer's put with a signal has arrived, its bytes are in memory. Called by the fabric's thread,
   * one after the other, those of a link in their order. Must not block; what it throws is logged.
   */
  void signalled(int peer, int value);
}
