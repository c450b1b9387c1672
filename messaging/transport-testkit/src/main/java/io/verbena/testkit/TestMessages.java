// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.Codec;
import io.verbena.MessageTypes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;

/** The messages of the suite. */
public final class TestMessages {

  /** The type id of a view: bytes without a record. */
  public static final int VIEW = 7;

  /** One of a numbered series. */
  public record Numbered(int source, long number) {}

  /** Bytes that tell where they came from: {@link Pattern}. */
  public record Blob(int number, byte[] data) {}

  /** A question whose answer is {@link Answer} with the same number. */
  public record Ask(long number) {}

  /** The answer to {@link Ask}. */
  public record Answer(long number) {}

  /** A type the suite never registers a handler for. */
  public record Unheard(long number) {}

  /** A message two nodes throw back and forth. */
  public record Ball(int hops, byte[] ballast) {}

  /** Words of ones, and what goes wrong when they are written. */
  record Faulty(FaultyCodec.Fault fault, int words) {}

  /** A message that counts how often messages of its type were encoded. */
  public record Counted(long number) {
    /** How often, in all. */
    public static final AtomicInteger ENCODED = new AtomicInteger();

    static final Codec<Counted> CODEC =
        new Codec<>() {
          @Override
          public int length(Counted message) {
            return Long.BYTES;
          }

          @Override
          public void write(Counted message, MemorySegment segment, long offset) {
            ENCODED.incrementAndGet();
            segment.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, message.number());
          }

          @Override
          public Counted read(MemorySegment segment, long offset, int length) {
            return new Counted(segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset));
          }

          @Override
          public String layout() {
            return "long, counted";
          }
        };
  }

  private TestMessages() {}

  /** The table of all nodes of the suite. */
  public static MessageTypes types() {
    return common().add(1, Numbered.class).build();
  }

  /** A table of another program: one id stands for another type. */
  public static MessageTypes otherTypes() {
    return common().add(1, Extra.class).build();
  }

  /** The type only {@link #otherTypes()} has. */
  public record Extra(int onlyHere) {}

  private static MessageTypes.Builder common() {
    return MessageTypes.builder()
        .add(2, Blob.class)
        .add(3, Ask.class)
        .add(4, Answer.class)
        .add(5, Unheard.class)
        .add(6, Ball.class)
        .add(8, Faulty.class, new FaultyCodec())
        .add(9, Counted.class, Counted.CODEC)
        .addView(VIEW, "bytes of the conformance suite");
  }
}
