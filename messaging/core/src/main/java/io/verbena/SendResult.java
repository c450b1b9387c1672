// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/** What became of a {@link Node#trySend}. */
public enum SendResult {
  /** The message is in the lane; it arrives unless the peer dies. */
  ACCEPTED,
  /** The lane has no room now; nothing was sent. Try again later, or {@link Node#send} to wait. */
  FULL,
  /** The connection is being made or resumed and cannot take the message yet; nothing was sent. */
  CONNECTING
}
