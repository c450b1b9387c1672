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

/** The records of one size: how they are made, taken and checked. */
sealed interface RecordFormat {

  /** Takes what a handler was given. The record itself is not passed on, so it need not exist. */
  @FunctionalInterface
  interface Arrival {
    void arrived(long stamp, boolean isIntact, Origin from);
  }

  /** The record's class. */
  Class<? extends Record> type();

  /** Makes the message with this stamp. */
  Record make(long stamp);

  /** Whether a message is the one with this stamp. */
  boolean isMessage(Record message, long stamp);

  /** Registers the handler. */
  void install(Node node, Execution execution, Arrival arrival);

  /** The records whose body is of this size. */
  static RecordFormat ofSize(int sizeBytes) {
    return switch (sizeBytes) {
      case 1 -> new Bytes();
      case 2 -> new Shorts();
      case 4 -> new Ints();
      case 8 -> new Longs();
      case Tick.SIZE_BYTES -> new Ticks();
      default -> new Blobs(new Payloads(Blob.payloadLength(sizeBytes)));
    };
  }

  /** 64 bytes. */
  record Ticks() implements RecordFormat {
    @Override
    public Class<Tick> type() {
      return Tick.class;
    }

    @Override
    public Record make(long stamp) {
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
  record Blobs(Payloads payloads) implements RecordFormat {
    @Override
    public Class<Blob> type() {
      return Blob.class;
    }

    @Override
    public Record make(long stamp) {
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

  /** 1 byte. */
  record Bytes() implements RecordFormat {
    @Override
    public Class<Tiny1> type() {
      return Tiny1.class;
    }

    @Override
    public Record make(long stamp) {
      return new Tiny1((byte) stamp);
    }

    @Override
    public boolean isMessage(Record message, long stamp) {
      return message instanceof Tiny1 tiny && Byte.toUnsignedLong(tiny.stamp()) == stamp;
    }

    @Override
    public void install(Node node, Execution execution, Arrival arrival) {
      node.handle(
          Tiny1.class,
          execution,
          (tiny, from) -> arrival.arrived(Byte.toUnsignedLong(tiny.stamp()), true, from));
    }
  }

  /** 2 bytes. */
  record Shorts() implements RecordFormat {
    @Override
    public Class<Tiny2> type() {
      return Tiny2.class;
    }

    @Override
    public Record make(long stamp) {
      return new Tiny2((short) stamp);
    }

    @Override
    public boolean isMessage(Record message, long stamp) {
      return message instanceof Tiny2 tiny && Short.toUnsignedLong(tiny.stamp()) == stamp;
    }

    @Override
    public void install(Node node, Execution execution, Arrival arrival) {
      node.handle(
          Tiny2.class,
          execution,
          (tiny, from) -> arrival.arrived(Short.toUnsignedLong(tiny.stamp()), true, from));
    }
  }

  /** 4 bytes. */
  record Ints() implements RecordFormat {
    @Override
    public Class<Tiny4> type() {
      return Tiny4.class;
    }

    @Override
    public Record make(long stamp) {
      return new Tiny4((int) stamp);
    }

    @Override
    public boolean isMessage(Record message, long stamp) {
      return message instanceof Tiny4 tiny && Integer.toUnsignedLong(tiny.stamp()) == stamp;
    }

    @Override
    public void install(Node node, Execution execution, Arrival arrival) {
      node.handle(
          Tiny4.class,
          execution,
          (tiny, from) -> arrival.arrived(Integer.toUnsignedLong(tiny.stamp()), true, from));
    }
  }

  /** 8 bytes. */
  record Longs() implements RecordFormat {
    @Override
    public Class<Tiny8> type() {
      return Tiny8.class;
    }

    @Override
    public Record make(long stamp) {
      return new Tiny8(stamp);
    }

    @Override
    public boolean isMessage(Record message, long stamp) {
      return message instanceof Tiny8 tiny && tiny.stamp() == stamp;
    }

    @Override
    public void install(Node node, Execution execution, Arrival arrival) {
      node.handle(
          Tiny8.class, execution, (tiny, from) -> arrival.arrived(tiny.stamp(), true, from));
    }
  }
}
