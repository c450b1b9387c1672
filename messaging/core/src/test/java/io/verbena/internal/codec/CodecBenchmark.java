// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.MessageTypes;
import io.verbena.Origin;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Nanoseconds per message for measuring and writing, and for reading into a handler, without any
 * wire. Run with {@code java -cp ... io.verbena.internal.codec.CodecBenchmark}; medians of 7
 * rounds.
 */
public final class CodecBenchmark {

  private static final int SLOTS = 512;
  private static final int SLOT_BYTES = 512;
  private static final int PER_ROUND = 4_000_000;
  private static final int ROUNDS = 7;

  /** 64 bytes of primitives. */
  public record Longs(long a, long b, long c, long d, long e, long f, long g, long h) {}

  /** The same out of reach of generated code, so that it goes through method handles. */
  private record HiddenLongs(long a, long b, long c, long d, long e, long f, long g, long h) {}

  /** A number and a text of 20 characters. */
  public record Named(long id, String name) {}

  /** A part of {@link Order}. */
  public record Item(int article, double price, String unit) {}

  /** A record of several kinds with a list of 4 records. */
  public record Order(
      long id, boolean urgent, String customer, Integer discount, List<Item> items) {}

  private static long sum;

  private final MemorySegment memory;
  private final int[] lengths = new int[SLOTS];

  private CodecBenchmark(MemorySegment memory) {
    this.memory = memory;
  }

  /** Runs all cases, or those whose name contains the first argument. */
  public static void main(String[] args) {
    String wanted = args.length == 0 ? "" : args[0];
    MessageTypes types =
        MessageTypes.builder()
            .add(1, Longs.class)
            .add(2, HiddenLongs.class)
            .add(3, Named.class)
            .add(4, Order.class)
            .build();
    TypeTable table = TypeTable.of(types);
    System.out.printf("%-14s %10s %10s %10s%n", "record", "write ns", "read ns", "lookup ns");
    try (Arena arena = Arena.ofConfined()) {
      for (Record[] messages : List.of(longs(), hidden(), named(), orders())) {
        String name = messages[0].getClass().getSimpleName();
        if (name.contains(wanted)) {
          var bench = new CodecBenchmark(arena.allocate((long) SLOTS * SLOT_BYTES, 64));
          bench.report(name, table, messages);
        }
      }
    }
    System.out.println("(checksum " + sum + ")");
  }

  private static Record[] longs() {
    return fill(i -> new Longs(i, 2, 3, 4, 5, 6, 7, 8));
  }

  private static Record[] hidden() {
    return fill(i -> new HiddenLongs(i, 2, 3, 4, 5, 6, 7, 8));
  }

  private static Record[] named() {
    return fill(i -> new Named(i, "message number %05d".formatted(i)));
  }

  private static Record[] orders() {
    return fill(
        i ->
            new Order(
                i,
                i % 2 == 0,
                "customer " + i,
                i % 3 == 0 ? null : i,
                List.of(
                    new Item(1, 1.5, "kg"), new Item(2, 2.5, "piece"),
                    new Item(3, 3.5, "m"), new Item(4, 4.5, "litre"))));
  }

  private static Record[] fill(java.util.function.IntFunction<Record> make) {
    Record[] messages = new Record[SLOTS];
    Arrays.setAll(messages, make);
    return messages;
  }

  private void report(String name, TypeTable table, Record[] messages) {
    MessageCodec codec = table.codecOf(messages[0].getClass());
    MessageSink sink = codec.sink(CodecBenchmark::consume);
    UnansweredOrigin origin = new UnansweredOrigin();
    double write = median(i -> writeAll(codec, messages));
    double read = median(i -> readAll(sink, origin));
    double lookup = median(i -> lookUpAll(table, messages));
    System.out.printf("%-14s %10.1f %10.1f %10.1f%n", name, write, read, lookup);
  }

  private void writeAll(MessageCodec codec, Record[] messages) {
    for (int i = 0; i < SLOTS; i++) {
      int length = codec.length(messages[i]);
      lengths[i] = length;
      codec.write(messages[i], memory, (long) i * SLOT_BYTES, length);
    }
  }

  private void readAll(MessageSink sink, InboundOrigin origin) {
    for (int i = 0; i < SLOTS; i++) {
      sink.accept(memory, (long) i * SLOT_BYTES, lengths[i], origin);
    }
  }

  private static void lookUpAll(TypeTable table, Record[] messages) {
    for (Record message : messages) {
      sum += table.codecOf(message.getClass()).typeId();
    }
  }

  private static void consume(Record message, Origin from) {
    sum +=
        switch (message) {
          case Longs longs -> longs.a() + longs.h();
          case HiddenLongs longs -> longs.a() + longs.h();
          case Named named -> named.id() + named.name().length();
          case Order order -> order.id() + order.items().size();
          default -> 0;
        };
  }

  private static double median(IntConsumer pass) {
    double[] results = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < PER_ROUND / SLOTS; i++) {
        pass.accept(i);
      }
      results[round] = (System.nanoTime() - start) / (double) PER_ROUND;
    }
    Arrays.sort(results);
    return results[ROUNDS / 2];
  }
}
