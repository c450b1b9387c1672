// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import io.verbena.Origin;
import io.verbena.fabric.RegionKey;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Reads what other ranks send, as {@link Wire} has it, and hands it to whom it is for. */
final class Inbox {

  private final IntFunction<Outbox> outboxes;
  private final Delivery delivery;
  private final Consumer<Outbox> goodbye;

  /**
   * @param goodbye hears which peer has said that it will send nothing more
   */
  Inbox(IntFunction<Outbox> outboxes, Delivery delivery, Consumer<Outbox> goodbye) {
    this.outboxes = outboxes;
    this.delivery = delivery;
    this.goodbye = goodbye;
  }

  /** Takes one of them; on a thread that receives. */
  void take(MemorySegment segment, long at, int length, Origin from) {
    Outbox peer = outboxes.apply(from.nodeId());
    peer.open(); // its first word lets the other one send
    int credit = Wire.credit(segment, at);
    if (credit != 0) {
      peer.allowance.bytesCameBack(credit);
    }
    switch (Wire.role(segment, at)) {
      case Wire.HEAD -> head(segment, at, length, from.nodeId());
      case Wire.PIECE -> piece(peer, segment, at, length);
      case Wire.GO -> go(peer, segment, at, length);
      case Wire.PLACED -> placed(peer, Wire.getLong(segment, at + 8), from.nodeId());
      case Wire.ALLOWANCE -> peer.allowance.grantHeads(Wire.getInt(segment, at + 8));
      case Wire.STALLED -> delivery.isStalled(from.nodeId());
      case Wire.ABANDONED -> abandoned(peer, Wire.getLong(segment, at + 8));
      case Wire.BYE -> goodbye.accept(peer);
      default ->
          throw new IllegalStateException(
              "role %d in a message of rank %d".formatted(Wire.role(segment, at), from.nodeId()));
    }
    peer.pump();
  }

  private void head(MemorySegment segment, long at, int length, int source) {
    int flags = Wire.flags(segment, at);
    int headBytes = Wire.headBytes(flags);
    if (length < headBytes) {
      throw new IllegalStateException(
          "a head with flags %d in %d bytes, by rank %d".formatted(flags, length, source));
    }
    long next = at + Wire.HEAD_BYTES;
    long id = Slots.NONE;
    if ((flags & Wire.NUMBERED) != 0) {
      id = Wire.getLong(segment, next);
      next += 8;
    }
    boolean isWhole = (flags & Wire.WHOLE) != 0;
    long bytes = length - headBytes;
    if (!isWhole) {
      bytes = announcedBytes(Wire.getLong(segment, next), source);
      next += 8;
    }
    Note note = null;
    if ((flags & Wire.NOTED) != 0) {
      note = new Note(Wire.getLong(segment, next), Wire.getLong(segment, next + 8));
    }
    delivery.arrived(
        Wire.getInt(segment, at + 8),
        source,
        Wire.getInt(segment, at + 12),
        bytes,
        id,
        note,
        isWhole,
        segment,
        at + headBytes);
  }

  private static long announcedBytes(long bytes, int source) {
    if (bytes < 0) {
      throw new IllegalStateException("a message of %d bytes, by rank %d".formatted(bytes, source));
    }
    return bytes;
  }

  private static void piece(Outbox peer, MemorySegment segment, long at, int length) {
    long number = Wire.getLong(segment, at + 8);
    ReceiveRequest receive = peer.expected.get(number);
    if (receive == null) {
      return; // it has failed
    }
    int bytes = length - Wire.PIECE_BYTES;
    boolean isLast;
    try {
      isLast = receive.write(Wire.getLong(segment, at + 16), bytes, segment, at + Wire.PIECE_BYTES);
    } catch (RuntimeException e) {
      fail(peer, number, "the memory of a message that is received cannot be written", e);
      return;
    }
    if (isLast && peer.expected.take(number) != null) {
      receive.received();
    }
  }

  private static void abandoned(Outbox peer, long number) {
    fail(peer, number, "the sender cannot read the memory of its message", null);
  }

  private static void fail(Outbox peer, long number, String why, @Nullable Throwable cause) {
    ReceiveRequest receive = peer.expected.take(number);
    if (receive != null) {
      receive.fail(new DeviceException(why, cause));
    }
  }

  private static void go(Outbox peer, MemorySegment segment, long at, int length) {
    SendRequest send = peer.told.take(Wire.getLong(segment, at + 8));
    if (send == null) {
      return; // it has failed
    }
    long wanted = Wire.getLong(segment, at + 24);
    if (!send.wasWhole()) {
      peer.allowance.headCameBack(peer.told.isEmpty());
    }
    if (wanted <= 0) {
      send.finish(null);
      return;
    }
    send.go(Wire.getLong(segment, at + 16), wanted);
    RegionKey window = length < Wire.GO_BYTES + RegionKey.BYTES ? null : window(segment, at);
    if (window == null) {
      peer.stream(send);
    } else {
      peer.write(send, window);
    }
  }

  /** Null if it is none that is known here: pieces get there, too. */
  private static @Nullable RegionKey window(MemorySegment segment, long at) {
    byte[] key = new byte[RegionKey.BYTES];
    MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at + Wire.GO_BYTES, key, 0, key.length);
    try {
      return RegionKey.of(key);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static void placed(Outbox peer, long number, int source) {
    ReceiveRequest receive = peer.expected.get(number);
    if (receive != null && !receive.hasWindow()) {
      throw new IllegalStateException(
          "rank %d says that it has written where it was not let".formatted(source));
    }
    if (receive != null && peer.expected.take(number) != null) {
      receive.received();
    }
  }
}
