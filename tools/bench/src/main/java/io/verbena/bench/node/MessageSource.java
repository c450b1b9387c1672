// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.Node;
import io.verbena.Sender;
import io.verbena.TypedSender;
import io.verbena.bench.message.BenchTypes;
import io.verbena.bench.message.StampFormat;
import io.verbena.bench.message.Views;
import io.verbena.bench.plan.MessagePath;

/** Sends messages of one thread to one node. The loops are here so that nothing else is in them. */
sealed interface MessageSource extends AutoCloseable {

  /** Sends the messages with these sequence numbers. */
  void send(long firstSequence, int count);

  @Override
  default void close() {}

  /** Makes the source of a thread. */
  static MessageSource open(Node node, NodeTask task, int to, int thread) {
    StampFormat stamps = task.stampFormat();
    long firstStamp = stamps.stamp(thread, 0);
    long mask = stamps.sequenceMask();
    if (task.path() == MessagePath.VIEW) {
      Views views = Views.ofSize(task.sizeBytes());
      return new InPlace(node.sender(to), task.sizeBytes(), views, firstStamp, mask);
    }
    RecordFormat<?> format = RecordFormat.ofSize(task.sizeBytes());
    return switch (task.lane()) {
      case SHARED -> new OnSharedLane(node, to, format, firstStamp, mask);
      case EXCLUSIVE -> new OnOwnLane(node.sender(to), format, firstStamp, mask);
      case TYPED -> typed(node.sender(to), format, firstStamp, mask);
    };
  }

  private static <T extends Record> MessageSource typed(
      Sender sender, RecordFormat<T> format, long firstStamp, long mask) {
    return new Typed<>(sender, sender.typed(format.type()), format, firstStamp, mask);
  }

  /** {@code node.send}. */
  record OnSharedLane(Node node, int to, RecordFormat<?> format, long firstStamp, long mask)
      implements MessageSource {
    @Override
    public void send(long firstSequence, int count) {
      for (long i = firstSequence; i < firstSequence + count; i++) {
        node.send(to, format.make(firstStamp | (i & mask)));
      }
    }
  }

  /** {@code sender.send}. */
  record OnOwnLane(Sender sender, RecordFormat<?> format, long firstStamp, long mask)
      implements MessageSource {
    @Override
    public void send(long firstSequence, int count) {
      for (long i = firstSequence; i < firstSequence + count; i++) {
        sender.send(format.make(firstStamp | (i & mask)));
      }
    }

    @Override
    public void close() {
      sender.close();
    }
  }

  /** {@code sender.typed(type).send}. */
  record Typed<T extends Record>(
      Sender sender, TypedSender<T> typed, RecordFormat<T> format, long firstStamp, long mask)
      implements MessageSource {
    @Override
    public void send(long firstSequence, int count) {
      for (long i = firstSequence; i < firstSequence + count; i++) {
        typed.send(format.make(firstStamp | (i & mask)));
      }
    }

    @Override
    public void close() {
      sender.close();
    }
  }

  /** {@code sender.claim}, write, {@code sender.commit}. */
  record InPlace(Sender sender, int sizeBytes, Views views, long firstStamp, long mask)
      implements MessageSource {
    @Override
    public void send(long firstSequence, int count) {
      for (long i = firstSequence; i < firstSequence + count; i++) {
        long at = sender.claim(BenchTypes.VIEW, sizeBytes);
        views.write(firstStamp | (i & mask), sender.segment(), at);
        sender.commit();
      }
    }

    @Override
    public void close() {
      sender.close();
    }
  }
}
