// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.MessageHandler;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages of one type and hands them to one handler.
 *
 * <p>One class is generated per type and handler, so that the handler is a constant to the JIT. The
 * JIT then inlines it and need not create the record.
 */
public abstract class MessageSink {

  private @Nullable MessageHandler<?> handler; // null if it reads no records

  /** Sets the handler; called before the sink is shared. */
  final MessageSink handledBy(MessageHandler<?> ofRecords) {
    handler = ofRecords;
    return this;
  }

  /** A sink that feeds the same handler with what another codec reads. */
  public final MessageSink readBy(MessageCodec codec) {
    return handler == null ? this : codec.sink(handler);
  }

  /**
   * Takes the message in {@code [offset, offset + length)}. If the handler throws, {@link
   * InboundOrigin#handlerFailed} hears of it.
   *
   * @throws io.verbena.MalformedMessageException if the bytes are not a message of this type
   */
  public abstract void accept(MemorySegment segment, long offset, int length, InboundOrigin origin);
}
