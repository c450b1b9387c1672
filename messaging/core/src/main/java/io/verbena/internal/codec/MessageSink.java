// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import java.lang.foreign.MemorySegment;

/**
 * Reads messages of one type and hands them to one handler.
 *
 * <p>Generated per type and handler, so that the handler is a constant to the JIT: it is inlined
 * and the record need not exist.
 */
public abstract class MessageSink {

  /**
   * Takes the message in {@code [offset, offset + length)}. What the handler throws goes to {@link
   * InboundOrigin#handlerFailed}.
   *
   * @throws io.verbena.MalformedMessageException if the bytes are not a message of this type
   */
  public abstract void accept(MemorySegment segment, long offset, int length, InboundOrigin origin);
}
