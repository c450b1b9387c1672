// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.MessageHandler;
import io.verbena.TypedSender;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * How one registered type becomes bytes and back. One object per type and type table, shared by all
 * threads; the generated subclasses do no reflection.
 */
public abstract class MessageCodec {

  private final int typeId;
  private final Class<? extends Record> type;
  private final int fixedLength;

  /**
   * @param fixedLength the length in bytes every message of this type has, or -1
   */
  protected MessageCodec(int typeId, Class<? extends Record> type, int fixedLength) {
    this.typeId = typeId;
    this.type = type;
    this.fixedLength = fixedLength;
  }

  /** The id the type is registered with. */
  public final int typeId() {
    return typeId;
  }

  /** The record class. */
  public final Class<? extends Record> type() {
    return type;
  }

  /** The length every message of this type has, or -1 if it varies. */
  public final int fixedLength() {
    return fixedLength;
  }

  /**
   * The exact number of bytes {@link #write} will write.
   *
   * @throws IllegalArgumentException if the message holds what cannot be encoded: half a surrogate
   *     pair, or records nested deeper than 256
   * @throws io.verbena.MessageTooLargeException if it takes more than 2147483647 bytes
   */
  public abstract int length(Record message);

  /**
   * Writes the message to {@code [offset, offset + length)} and nothing outside of it.
   *
   * @param length the result of {@link #length(Record)}
   * @throws IllegalStateException if the message does not take exactly {@code length} bytes (it was
   *     changed meanwhile, or a hand-written codec is wrong); the range then holds no message
   */
  public abstract void write(Record message, MemorySegment segment, long offset, int length);

  /**
   * Writes the message to {@code [offset, offset + length(message))}. If the length is known, the
   * other form is faster.
   */
  public final void write(Record message, MemorySegment segment, long offset) {
    write(message, segment, offset, length(message));
  }

  /**
   * Reads a message from {@code [offset, offset + length)}.
   *
   * @throws io.verbena.MalformedMessageException if the bytes are not a message of this type
   */
  public abstract Record read(MemorySegment segment, long offset, int length);

  /** A sender with code of its own for this type; null if the type has none. */
  public @Nullable TypedSender<Record> typedSender(MessageTurn turn) {
    return null;
  }

  /** Makes the class that reads messages of this type and hands them to {@code handler}. */
  public abstract MessageSink sink(MessageHandler<?> handler);
}
