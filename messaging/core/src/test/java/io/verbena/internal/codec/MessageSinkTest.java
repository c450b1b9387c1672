// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.MalformedMessageException;
import io.verbena.MessageHandler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageSinkTest {

  record Ping(int number, String text) {}

  private final MessageCodec codec = Wire.codecOf(Ping.class);
  private final RecordingOrigin origin = new RecordingOrigin();

  @Test
  void handsTheMessageAndItsOriginToTheHandler() {
    List<Object> seen = new ArrayList<>();
    MessageHandler<Ping> handler =
        (ping, from) -> {
          seen.add(ping);
          seen.add(from);
        };
    accept(codec.sink(handler), new Ping(7, "hi"));
    assertThat(seen).containsExactly(new Ping(7, "hi"), origin);
    assertThat(origin.failures).isEmpty();
  }

  @Test
  void eachHandlerHasASinkOfItsOwn() {
    List<String> seen = new ArrayList<>();
    MessageSink first = codec.sink((message, from) -> seen.add("first"));
    MessageSink second = codec.sink((message, from) -> seen.add("second"));
    accept(second, new Ping(1, ""));
    accept(first, new Ping(1, ""));
    assertThat(seen).containsExactly("second", "first");
    assertThat(first.getClass()).isNotEqualTo(second.getClass());
  }

  @Test
  void whatTheHandlerThrowsGoesToTheOriginAndNoFurther() {
    List<Throwable> thrown =
        List.of(
            new Exception("checked"),
            new IllegalStateException("unchecked"),
            new MalformedMessageException("of the handler's own"),
            new AssertionError("error"));
    for (Throwable failure : thrown) {
      accept(codec.sink((message, from) -> sneak(failure)), new Ping(1, "x"));
    }
    assertThat(origin.failures).isEqualTo(thrown);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable failure) throws T {
    throw (T) failure;
  }

  @Test
  void malformedBytesAreNotTheHandlersFault() {
    MessageSink sink = codec.sink((message, from) -> {});
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(64);
      assertThatThrownBy(() -> sink.accept(memory, 0, 3, origin))
          .isInstanceOf(MalformedMessageException.class);
    }
    assertThat(origin.failures).isEmpty();
  }

  private void accept(MessageSink sink, Ping message) {
    byte[] bytes = Wire.encode(codec, message);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      sink.accept(memory, 0, bytes.length, origin);
    }
  }
}
