// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.Codec;
import io.verbena.IncompatibleMessageException;
import io.verbena.MalformedMessageException;
import io.verbena.MessageHandler;
import io.verbena.internal.event.Words;
import java.lang.foreign.MemorySegment;

/** Enforces the contract of a user's codec. */
final class HandWrittenCodec<T extends Record> extends MessageCodec {

  private final Class<T> type;
  private final Codec<T> codec;

  HandWrittenCodec(int typeId, Class<T> type, Codec<T> codec) {
    super(typeId, type, -1);
    this.type = type;
    this.codec = codec;
  }

  @Override
  public int length(Record message) {
    int length = codec.length(type.cast(message));
    if (length < 0) {
      throw new IllegalStateException(
          name() + " says that the message takes " + length + " bytes; a length is 0 or more");
    }
    return length;
  }

  @Override
  public void write(Record message, MemorySegment segment, long offset, int length) {
    checkLength(message, length);
    MemorySegment range = segment.asSlice(offset, length);
    try {
      codec.write(type.cast(message), range, 0);
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalStateException(
          name() + " wrote outside of the " + length + " bytes it asked for", e);
    }
  }

  /** A codec that gives two lengths for one message is wrong at least once. */
  private void checkLength(Record message, int length) {
    int now = length(message);
    if (now != length) {
      throw new IllegalStateException(
          name() + " said that the message takes " + length + " bytes, and now " + now);
    }
  }

  @Override
  public Record read(MemorySegment segment, long offset, int length) {
    MemorySegment range = segment.asSlice(offset, length).asReadOnly();
    Record message;
    try {
      message = codec.read(range, 0, length);
    } catch (MalformedMessageException | IncompatibleMessageException e) {
      throw e;
    } catch (RuntimeException e) {
      throw Decoding.malformed(name() + " could not read " + length + " bytes: " + Words.of(e), e);
    }
    if (!type.isInstance(message)) {
      throw new MalformedMessageException(
          name() + " read " + length + " bytes and returned no " + type.getName());
    }
    return message;
  }

  @Override
  public MessageSink sink(MessageHandler<?> handler) {
    return CodecGenerator.sink(this, handler);
  }

  private String name() {
    return "codec " + codec.getClass().getName() + " of " + type.getName();
  }
}
