// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.verbena.Origin;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What codecs leave for the garbage collector, once compiled. Measured in a JVM of its own: other
 * tests take the error paths so often that the JIT makes room for them.
 */
@Tag("timing")
class CodecAllocationTest {

  /** 16 bytes of header and 64 of components. */
  public record Longs(long a, long b, long c, long d, long e, long f, long g, long h) {}

  /** 24 bytes, its String 24, and the bytes of that 40. */
  public record Named(long id, String name) {}

  public record Item(int article, String unit) {}

  public record Order(long id, Item first, List<Item> items, long[] numbers) {}

  private enum Task {
    WRITE,
    READ,
    HANDLE
  }

  private enum Case {
    WRITE_LONGS(Task.WRITE, new Longs(1, 2, 3, 4, 5, 6, 7, 8), 0),
    WRITE_NAMED(Task.WRITE, new Named(1, "a name of 20 letters"), 0),
    WRITE_ORDER(
        Task.WRITE,
        new Order(1, new Item(1, "kg"), List.of(new Item(2, "m"), new Item(3, "l")), new long[5]),
        0),
    READ_LONGS(Task.READ, new Longs(1, 2, 3, 4, 5, 6, 7, 8), 80),
    READ_NAMED(Task.READ, new Named(1, "a name of 20 letters"), 88),
    HANDLE_LONGS_THAT_DO_NOT_ESCAPE(Task.HANDLE, new Longs(1, 2, 3, 4, 5, 6, 7, 8), 0);

    private final Task task;
    private final Record message;
    private final long allowedBytes;

    Case(Task task, Record message, long allowedBytes) {
      this.task = task;
      this.message = message;
      this.allowedBytes = allowedBytes;
    }
  }

  @Test
  void writingAllocatesNothingAndReadingOnlyTheRecord() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // The thread waits for the JIT: on a busy machine it would run on without for long.
                "-XX:-BackgroundCompilation",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Measurement.class.getName())
            .redirectErrorStream(true)
            .start();
    assertThat(linesOf(process)).isEqualTo(expectedLines());
    assertThat(process.waitFor()).isZero();
  }

  private static List<String> linesOf(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .toList();
  }

  private static List<String> expectedLines() {
    return List.of(Case.values()).stream().map(c -> c + " within " + c.allowedBytes).toList();
  }

  /** Prints for each case whether it stays within what is allowed, or what it takes. */
  static final class Measurement {

    private static final int MESSAGES = 20_000;
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(2);

    private static long sum;

    public static void main(String[] args) {
      for (Case one : Case.values()) {
        long bytes = perMessage(one);
        System.out.println(
            bytes <= one.allowedBytes
                ? one + " within " + one.allowedBytes
                : one + " takes " + bytes + ", not " + one.allowedBytes);
      }
    }

    private static long perMessage(Case one) {
      MessageCodec codec = Wire.codecOf(one.message.getClass());
      MessageSink sink = codec.sink(Measurement::add);
      RecordingOrigin origin = new RecordingOrigin();
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment memory = arena.allocate(512);
        int length = codec.length(one.message);
        codec.write(one.message, memory, 0, length);
        Runnable once =
            switch (one.task) {
              case WRITE -> () -> codec.write(one.message, memory, 0, codec.length(one.message));
              case READ -> () -> sum += codec.read(memory, 0, length).getClass().hashCode();
              case HANDLE -> () -> sink.accept(memory, 0, length, origin);
            };
        return leastPerMessage(once, one.allowedBytes);
      }
    }

    private static void add(Record message, Origin from) {
      if (message instanceof Longs longs) {
        sum += longs.a() + longs.h();
      }
    }

    /**
     * The least of many rounds: the first ones run before the JIT has done its work. Objects take a
     * multiple of 8 bytes, so one more per message shows in every round.
     */
    private static long leastPerMessage(Runnable once, long allowed) {
      long until = System.nanoTime() + PATIENCE_NS;
      long least = Long.MAX_VALUE;
      while (least > allowed && System.nanoTime() - until < 0) {
        least = Math.min(least, roundPerMessage(once));
      }
      return least;
    }

    private static long roundPerMessage(Runnable once) {
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < MESSAGES; i++) {
        once.run();
      }
      return (threads.getCurrentThreadAllocatedBytes() - before) / MESSAGES;
    }
  }
}
