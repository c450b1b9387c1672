// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.faulty;

/** What becomes of a message now and then. */
public enum Fault {
  /** It does not arrive. */
  DROP,
  /** It arrives twice. */
  REPEAT,
  /** It arrives with one bit changed. */
  CORRUPT,
  /** It and the message before it have exchanged their last words. */
  SWAP
}
