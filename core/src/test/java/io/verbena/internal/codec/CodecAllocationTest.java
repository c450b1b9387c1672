// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.verbena.Origin;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What codecs leave for the garbage collector, once compiled. */
class CodecAllocationTest {

  private static final int MESSAGES = 100_000;
  private static final int MAX_ROUNDS = 100;

  /** 16 bytes of header and 64 of components. */
  public record Longs(long a, long b, long c, long d, long e, long f, long g, long h) {}

  public record Named(long id, String name) {}

  public record Item(int article, String unit) {}

  public record Order(long id, Item first, List<Item> items, long[] numbers) {}

  private static final Longs LONGS = new Longs(1, 2, 3, 4, 5, 6, 7, 8);
  private static final Named NAMED = new Named(1, "a name of 20 letters");
  private static final Order ORDER =
      new Order(1, new Item(1, "kg"), List.of(new Item(2, "m"), new Item(3, "l")), new long[5]);

  private long sum;

  @Test
  void writingAllocatesNothing() {
    for (Record message : List.of(LONGS, NAMED, ORDER)) {
      assertThat(perMessage(message, Task.WRITE, 0)).as(message.toString()).isZero();
    }
  }

  @Test
  void readingAllocatesTheRecordAndNothingElse() {
    assertThat(perMessage(LONGS, Task.READ, 80)).isLessThanOrEqualTo(80);
    // The record 24, the String 24, its bytes 40.
    assertThat(perMessage(NAMED, Task.READ, 88)).isLessThanOrEqualTo(88);
  }

  @Test
  void aRecordThatDoesNotLeaveItsHandlerIsNotAllocated() {
    assertThat(perMessage(LONGS, Task.HANDLE, 0)).isZero();
  }

  private void add(Record message, Origin from) {
    if (message instanceof Longs longs) {
      sum += longs.a() + longs.h();
    }
  }

  private enum Task {
    WRITE,
    READ,
    HANDLE
  }

  private long perMessage(Record message, Task task, long expected) {
    MessageCodec codec = Wire.codecOf(message.getClass());
    MessageSink sink = codec.sink(this::add);
    RecordingOrigin origin = new RecordingOrigin();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(512);
      int length = codec.length(message);
      codec.write(message, memory, 0, length);
      Runnable once =
          switch (task) {
            case WRITE -> () -> codec.write(message, memory, 0, codec.length(message));
            case READ -> () -> sum += codec.read(memory, 0, length).getClass().hashCode();
            case HANDLE -> () -> sink.accept(memory, 0, length, origin);
          };
      return leastPerMessage(once, expected);
    }
  }

  /** The least of several rounds: the first ones run before the JIT has done its work. */
  private static long leastPerMessage(Runnable once, long expected) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < MAX_ROUNDS && least > expected; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < MESSAGES; i++) {
        once.run();
      }
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      least = Math.min(least, allocated / MESSAGES);
    }
    return least;
  }
}
