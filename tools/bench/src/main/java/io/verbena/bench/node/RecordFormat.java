// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.Execution;
import io.verbena.Node;
import io.verbena.Origin;
import io.verbena.bench.message.Blob;
import io.verbena.bench.message.Payloads;
import io.verbena.bench.message.Tick;
import io.verbena.bench.message.Tiny1;
import io.verbena.bench.message.Tiny2;
import io.verbena.bench.message.Tiny4;
import io.verbena.bench.message.Tiny8;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/**
 * The records of one size: how they are made, taken and checked.
 *
 * @param <T> their type
 */
sealed interface RecordFormat<T extends Record> {

  /** Takes what a handler was given. The record itself is not passed on, so it need not exist. */
  @FunctionalInterface
  interface Arrival {
    void arrived(long stamp, boolean isIntact, Origin from);
  }

  /** The record's class. */
  Class<T> type();

  /** Makes the message with this stamp. */
  T make(long stamp);

  /** Whether a message is the one with this stamp. */
  boolean isMessage(Record message, long stamp);

  /** Registers the handler. */
  void install(Node node, Execution execution, Arrival arrival);

  /** The records whose body is of this size. */
  static RecordFormat<?> ofSize(int sizeBytes) {
    return switch (sizeBytes) {
      case 1 ->
          new Stamps<>(
              Tiny1.class, s -> new Tiny1((byte) s), tiny -> Byte.toUnsignedLong(tiny.stamp()));
      case 2 ->
          new Stamps<>(
              Tiny2.class, s -> new Tiny2((short) s), tiny -> Short.toUnsignedLong(tiny.stamp()));
      case 4 ->
          new Stamps<>(
              Tiny4.class, s -> new Tiny4((int) s), tiny -> Integer.toUnsignedLong(tiny.stamp()));
      case 8 -> new Stamps<>(Tiny8.class, Tiny8::new, Tiny8::stamp);
      case Tick.SIZE_BYTES -> new Ticks();
      default -> new Blobs(new Payloads(Blob.payloadLength(sizeBytes)));
    };
  }

  /** 64 bytes. */
  record Ticks() implements RecordFormat<Tick> {
    @Override
    public Class<Tick> type() {
      return Tick.class;
    }

    @Override
    public Tick make(long stamp) {
      return Tick.of(stamp);
    }

    @Override
    public boolean isMessage(Record message, long stamp) {
      return message instanceof Tick tick && tick.stamp() == stamp && tick.isIntact();
    }

    @Override
    public void install(Node node, Execution execution, Arrival arrival) {
      node.handle(
          Tick.class,
          execution,
          (tick, from) -> arrival.arrived(tick.stamp(), tick.isIntact(), from));
    }
  }

  /** Any size from 9 bytes on. */
  record Blobs(Payloads payloads) implements RecordFormat<Blob> {
    @Override
    public Class<Blob> type() {
      return Blob.class;
    }

    @Override
    public Blob make(long stamp) {
      return new Blob(stamp, payloads.of(stamp));
    }

    @Override
    public boolean isMessage(Record message, long stamp) {
      return message instanceof Blob blob && blob.stamp() == stamp && isIntact(blob);
    }

    @Override
    public void install(Node node, Execution execution, Arrival arrival) {
      node.handle(
          Blob.class,
          execution,
          (blob, from) -> arrival.arrived(blob.stamp(), isIntact(blob), from));
    }

    private boolean isIntact(Blob blob) {
      return payloads.isIntact(blob.stamp(), blob.payload());
    }
  }

  /**
   * 1, 2, 4 or 8 bytes: a record that is a stamp and nothing else.
   *
   * @param type the record's class
   * @param maker makes one
   * @param stamp reads its stamp, which has no sign
   */
  record Stamps<T extends Record>(Class<T> type, LongFunction<T> maker, ToLongFunction<T> stamp)
      implements RecordFormat<T> {

    @Override
    public T make(long stamp) {
      return maker.apply(stamp);
    }

    @Override
    public boolean isMessage(Record message, long stamp) {
      return type.isInstance(message) && this.stamp.applyAsLong(type.cast(message)) == stamp;
    }

    @Override
    public void install(Node node, Execution execution, Arrival arrival) {
      node.handle(
          type, execution, (tiny, from) -> arrival.arrived(stamp.applyAsLong(tiny), true, from));
    }
  }
}
