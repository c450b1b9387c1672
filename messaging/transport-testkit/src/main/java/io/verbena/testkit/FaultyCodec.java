// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.Codec;
import io.verbena.testkit.TestMessages.Faulty;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A hand-written codec that fails when its message says so. */
final class FaultyCodec implements Codec<Faulty> {

  private static final long SECOND_THROWS = -2;
  private static final long NO_HEAP = -3;
  private static final long NO_STACK = -4;

  @Override
  public int length(Faulty message) {
    if (message.fault() == Fault.LENGTH_THROWS) {
      throw new IllegalStateException("length fails on purpose");
    }
    return 8 * message.words();
  }

  @Override
  public void write(Faulty message, MemorySegment to, long offset) {
    int words = message.words();
    switch (message.fault()) {
      case WRITE_THROWS -> {
        fill(to, offset, words / 2);
        throw new IllegalStateException("write fails on purpose");
      }
      case WRITE_OVERFLOWS_THE_STACK -> throw new StackOverflowError("on purpose");
      case SECOND_WRITE_THROWS -> to.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, SECOND_THROWS);
      case READ_FINDS_NO_HEAP -> to.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, NO_HEAP);
      case READ_OVERFLOWS_THE_STACK -> to.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, NO_STACK);
      case WRITES_TOO_MUCH -> fill(to, offset, words + 1);
      case WRITES_FAR_AWAY -> to.set(ValueLayout.JAVA_LONG_UNALIGNED, offset + (1 << 20), -1L);
      case NONE, LENGTH_THROWS -> fill(to, offset, words);
    }
  }

  private static void fill(MemorySegment to, long offset, int words) {
    for (int i = 0; i < words; i++) {
      to.set(ValueLayout.JAVA_LONG_UNALIGNED, offset + 8L * i, -1L);
    }
  }

  @Override
  public Faulty read(MemorySegment from, long offset, int length) {
    if (length == 8 && from.get(ValueLayout.JAVA_LONG_UNALIGNED, offset) == SECOND_THROWS) {
      return new Faulty(Fault.WRITE_THROWS, 1);
    }
    if (length == 8 && from.get(ValueLayout.JAVA_LONG_UNALIGNED, offset) == NO_HEAP) {
      throw new OutOfMemoryError("no heap, on purpose");
    }
    if (length == 8 && from.get(ValueLayout.JAVA_LONG_UNALIGNED, offset) == NO_STACK) {
      throw new StackOverflowError("no stack, on purpose");
    }
    for (int i = 0; i < length; i += 8) {
      if (from.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + i) != -1L) {
        throw new io.verbena.MalformedMessageException("word " + i / 8 + " is not as written");
      }
    }
    return new Faulty(Fault.NONE, length / 8);
  }

  @Override
  public String layout() {
    return "words of ones, version 1";
  }

  /** What goes wrong. */
  enum Fault {
    NONE,
    LENGTH_THROWS,
    WRITE_THROWS,
    WRITE_OVERFLOWS_THE_STACK,
    /** Of one word: arrives, but cannot be passed on. */
    SECOND_WRITE_THROWS,
    /** Of one word. */
    READ_FINDS_NO_HEAP,
    /** Of one word. */
    READ_OVERFLOWS_THE_STACK,
    WRITES_TOO_MUCH,
    WRITES_FAR_AWAY
  }
}
