// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.Origin;
import io.verbena.Sender;
import io.verbena.bench.BenchException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges pairs of vertices with all other nodes, in phases that end when every message of them
 * has arrived: known by counting, and each message is checked by a sum over what was sent.
 *
 * <p>Messages are 16 bytes, written in place on an exclusive lane to each node, and read in place.
 * They are handed to the sink by the thread that receives, one at a time for each source.
 */
final class VertexLanes implements AutoCloseable {

  /** Takes a pair that another node sent. */
  @FunctionalInterface
  interface Sink {
    void take(int source, int target, int other);
  }

  private static final int PAIR = 1;
  private static final int PAIR_BYTES = 16;
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long TARGET_FACTOR = 0x9E37_79B9_7F4A_7C15L;
  private static final long OTHER_FACTOR = 0xC2B2_AE3D_27D4_EB4FL;
  private static final long LOOK_AGAIN_NS = 1_000_000;

  /** One lane, at its sender. */
  private static final class Outgoing {
    final Sender sender;
    long sent;
    long sum;

    Outgoing(Sender sender) {
      this.sender = sender;
    }
  }

  /** One lane, at its receiver: written by the thread that receives from this source. */
  private static final class Incoming {
    private static final VarHandle RECEIVED;

    static {
      try {
        RECEIVED = MethodHandles.lookup().findVarHandle(Incoming.class, "received", long.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private long received;
    long sum;
    volatile @Nullable PhaseEnd end;
    volatile @Nullable PhaseCount count;

    /** A message was taken. Release: pairs with received(), who sees the count sees the rest. */
    void arrived() {
      RECEIVED.setRelease(this, received + 1);
    }

    long received() {
      return (long) RECEIVED.getAcquire(this);
    }
  }

  private final int id;
  private final @Nullable Outgoing[] outgoing; // by node id
  private final Incoming[] incoming; // by node id
  private final long patienceNs;
  private final Node node;
  private long phase;
  private volatile @Nullable Thread waiting;
  private volatile @Nullable Sink sink;
  private volatile @Nullable String failure;

  /**
   * @param patience for a peer from which nothing arrives while something is missing
   */
  VertexLanes(Node node, int nodes, Duration patience) {
    this.node = node;
    this.id = node.id();
    this.patienceNs = patience.toNanos();
    this.outgoing = new Outgoing[nodes + 1];
    this.incoming = new Incoming[nodes + 1];
    for (int i = 1; i <= nodes; i++) {
      incoming[i] = new Incoming();
    }
    node.handleView(PAIR, this::take);
    node.handle(PhaseEnd.class, this::ended);
    node.handle(PhaseCount.class, this::counted);
  }

  static MessageTypes types() {
    return MessageTypes.builder()
        .addView(PAIR, "pair of vertices")
        .add(2, PhaseEnd.class)
        .add(3, PhaseCount.class)
        .build();
  }

  /** Opens the lanes. */
  void connect() {
    for (int to = 1; to < outgoing.length; to++) {
      if (to != id) {
        outgoing[to] = new Outgoing(node.sender(to));
      }
    }
  }

  /** Who takes what arrives in the next phases; before the peers could send it. */
  void sink(Sink next) {
    sink = next;
  }

  /** Sends a pair to another node. */
  void send(int to, int target, int other) {
    Outgoing lane = lane(to);
    long at = lane.sender.claim(PAIR, PAIR_BYTES);
    MemorySegment segment = lane.sender.segment();
    segment.set(LONG, at, target);
    segment.set(LONG, at + Long.BYTES, other);
    lane.sender.commit();
    lane.sent++;
    lane.sum += digest(target, other);
  }

  /** A number that changes if either vertex does. */
  static long digest(long target, long other) {
    return target * TARGET_FACTOR + other * OTHER_FACTOR;
  }

  /** How many pairs this node has sent ever. */
  long sent() {
    long sent = 0;
    for (Outgoing lane : outgoing) {
      sent += lane == null ? 0 : lane.sent;
    }
    return sent;
  }

  /**
   * Ends a phase of sending: returns when everything that any node has sent to this one in it has
   * been taken by the sink.
   *
   * @throws BenchException if a message was lost, repeated or changed on its way
   */
  void awaitArrival() {
    phase++;
    for (Outgoing lane : outgoing) {
      if (lane != null) {
        lane.sender.send(new PhaseEnd(phase, lane.sent, lane.sum));
      }
    }
    for (int source = 1; source < incoming.length; source++) {
      if (source != id) {
        settle(source);
      }
    }
  }

  private void settle(int source) {
    Incoming lane = incoming[source];
    await(source, "the end of phase " + phase, () -> endOf(lane) != null);
    PhaseEnd end = endOf(lane);
    if (end == null) {
      throw new IllegalStateException("the end was there");
    }
    // A lane keeps its order: what was sent before the end has been taken before it.
    if (lane.received() != end.sent()) {
      throw new BenchException(
          "node %d has sent %d messages to node %d, and %d arrived"
              .formatted(source, end.sent(), id, lane.received()));
    }
    if (lane.sum != end.sum()) {
      throw new BenchException(
          "what arrived from node %d at node %d is not what was sent".formatted(source, id));
    }
  }

  private @Nullable PhaseEnd endOf(Incoming lane) {
    PhaseEnd end = lane.end;
    return end == null || end.phase() < phase ? null : end;
  }

  /**
   * Tells all nodes a number and returns the sum of all. Returns after every node has ended the
   * phase; so it is a barrier too.
   */
  long sum(long count) {
    long sum = count;
    for (Outgoing lane : outgoing) {
      if (lane != null) {
        lane.sender.send(new PhaseCount(phase, count));
      }
    }
    for (int source = 1; source < incoming.length; source++) {
      if (source != id) {
        sum += countOf(source);
      }
    }
    return sum;
  }

  private long countOf(int source) {
    Incoming lane = incoming[source];
    await(
        source,
        "the count of phase " + phase,
        () -> {
          PhaseCount count = lane.count;
          return count != null && count.phase() >= phase;
        });
    PhaseCount count = lane.count;
    if (count == null || count.phase() != phase) {
      throw new BenchException("node " + source + " is ahead of node " + id);
    }
    return count.count();
  }

  private void await(int source, String what, BooleanSupplier condition) {
    Incoming lane = incoming[source];
    waiting = Thread.currentThread();
    long lastCount = -1;
    long lastChangeNs = System.nanoTime();
    while (!condition.getAsBoolean()) {
      throwFailure();
      long count = lane.received();
      long nowNs = System.nanoTime();
      if (count != lastCount) {
        lastCount = count;
        lastChangeNs = nowNs;
      } else if (nowNs - lastChangeNs > patienceNs) {
        throw new BenchException(
            "node %d waits for %s from node %d: %d messages arrived, and none for %d s"
                .formatted(id, what, source, count, patienceNs / 1_000_000_000));
      }
      LockSupport.parkNanos(this, LOOK_AGAIN_NS);
      if (Thread.interrupted()) {
        throw new BenchException("node " + id + " was interrupted");
      }
    }
    throwFailure();
  }

  private void throwFailure() {
    String reason = failure;
    if (reason != null) {
      throw new BenchException(reason);
    }
  }

  private void take(MemorySegment segment, long offset, int length, Origin from) {
    Sink taker = sink;
    Incoming lane = incoming[from.nodeId()];
    long target = segment.get(LONG, offset);
    long other = segment.get(LONG, offset + Long.BYTES);
    lane.sum += digest(target, other);
    try {
      if (taker == null || length != PAIR_BYTES) {
        throw new IllegalStateException("nobody expects " + length + " bytes now");
      }
      taker.take(from.nodeId(), Math.toIntExact(target), Math.toIntExact(other));
    } catch (RuntimeException e) { // for the thread that waits
      failure =
          "node %d cannot take (%d, %d) from node %d: %s"
              .formatted(id, target, other, from.nodeId(), e);
    }
    lane.arrived();
  }

  private void ended(PhaseEnd end, Origin from) {
    incoming[from.nodeId()].end = end;
    LockSupport.unpark(waiting);
  }

  private void counted(PhaseCount count, Origin from) {
    incoming[from.nodeId()].count = count;
    LockSupport.unpark(waiting);
  }

  private Outgoing lane(int to) {
    Outgoing lane = outgoing[to];
    if (lane == null) {
      throw new IllegalStateException("there is no lane to node " + to);
    }
    return lane;
  }

  @Override
  public void close() {
    for (Outgoing lane : outgoing) {
      if (lane != null) {
        lane.sender.close();
      }
    }
  }
}
