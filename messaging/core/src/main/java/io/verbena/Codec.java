// SPDX-License-Identifier: Apache-2.0
package io.verbena;

import java.lang.foreign.MemorySegment;

/**
 * How one message type becomes bytes and back, written by hand in place of the generated codec.
 *
 * <p>Implementations are shared by all threads. Anything a method throws concerns this one message
 * on the way out; on the way in it ends the session with the peer, because its bytes cannot be
 * trusted.
 *
 * @param <T> the message type
 */
public interface Codec<T extends Record> {

  /** The exact number of bytes {@link #write} will write for this message. */
  int length(T message);

  /**
   * Writes the message to {@code [offset, offset + length(message))} of {@code to}; writes outside
   * of it throw.
   *
   * @param to the bytes to fill; little-endian is the convention, layouts need not be aligned
   */
  void write(T message, MemorySegment to, long offset);

  /**
   * Reads a message from {@code [offset, offset + length)} of {@code from}; the bytes come from
   * another process and may be anything.
   *
   * @throws MalformedMessageException if they are not a message of this type
   * @throws IncompatibleMessageException if they are one, but this version of the program cannot
   *     express it: that concerns the message alone
   */
  T read(MemorySegment from, long offset, int length);

  /**
   * A text that names the layout and its version: both sides compare it when they connect, and it
   * must be the same. Change it whenever the bytes change so that an older version cannot read
   * them.
   */
  String layout();
}
