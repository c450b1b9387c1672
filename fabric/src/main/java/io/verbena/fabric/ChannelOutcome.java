// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

/**
 * How a call of an end of a channel came out; in the order of {@code VBN_CHANNEL_…}. All of them
 * are to be expected of a channel, so they are values and not exceptions; what is thrown is misuse,
 * or a lack of memory.
 */
public enum ChannelOutcome {
  /** It was done. */
  DONE,
  /** Nothing was done, within the time where there is one: no room, or no message. */
  WOULD_BLOCK,
  /** The writer has ended the stream, and all it wrote was read. */
  ENDED,
  /** The far end is gone, and all that has come of it was read; {@link Channel#lostBecause}. */
  LOST,
  /** The message does not fit: in the ring as a whole, or where it is to be put. It stays. */
  TOO_LARGE;

  private static final ChannelOutcome[] ALL = values();

  /** Of what C returns; by the thread that made the call. */
  static ChannelOutcome of(int number) {
    if (number < 0) {
      throw new IllegalStateException(Functions.lastError());
    }
    return ALL[number];
  }
}
