// SPDX-License-Identifier: Apache-2.0
package io.verbena;

import java.lang.foreign.MemorySegment;

/**
 * The callback of a view type: sees the message's bytes, in place and without any object if it runs
 * inline. In a pool or a virtual thread it gets a copy that belongs to it, from offset 0.
 */
@FunctionalInterface
public interface ViewHandler {

  /**
   * Takes one message as bytes.
   *
   * @param segment memory that holds the message; read only {@code [offset, offset + length)}, and
   *     only during this call
   * @param offset where the message starts, a multiple of 8 for messages that were not fragmented
   * @param length the message's size in bytes
   * @param from where it came from; valid during this call only, unless retained
   * @throws Exception as for {@link MessageHandler#handle}
   */
  void handle(MemorySegment segment, long offset, int length, Origin from) throws Exception;
}
