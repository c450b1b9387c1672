// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.Origin;
import io.verbena.bench.control.BenchException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges {@link Pairs pairs} of vertices with all other nodes, in phases that end when every
 * message of them has arrived: known by counting, and each message is checked by a sum over what
 * was sent and in which order.
 *
 * <p>There is an exclusive lane to each node. What arrives is handed to the sink by the thread that
 * receives, one at a time for each source.
 */
final class VertexLanes implements AutoCloseable {

  /** Takes a pair that another node sent. */
  @FunctionalInterface
  interface Sink {
    void take(int source, int target, int other);
  }

  private static final long LOOK_AGAIN_NS = 1_000_000;

  private final int id;
  private final @Nullable OutLane[] outgoing; // by node id
  private final InLane[] incoming; // by node id
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
    this.outgoing = new OutLane[nodes + 1];
    this.incoming = new InLane[nodes + 1];
    for (int source = 1; source <= nodes; source++) {
      incoming[source] = new InLane(source, id);
    }
    node.handleView(Pairs.TYPE, this::take);
    node.handle(PhaseEnd.class, this::ended);
    node.handle(PhaseCount.class, this::counted);
  }

  static MessageTypes types() {
    return MessageTypes.builder()
        .addView(Pairs.TYPE, "pair of vertices")
        .add(2, PhaseEnd.class)
        .add(3, PhaseCount.class)
        .build();
  }

  /** Opens the lanes. */
  void connect() {
    for (int to = 1; to < outgoing.length; to++) {
      if (to != id) {
        outgoing[to] = new OutLane(node.sender(to));
      }
    }
  }

  /** Who takes what arrives in the next phases; before the peers could send it. */
  void sink(Sink next) {
    sink = next;
  }

  /** Sends a pair to another node. */
  void send(int to, int target, int other) {
    OutLane lane = outgoing[to];
    if (lane == null) {
      throw new IllegalStateException("there is no lane to node " + to);
    }
    lane.send(target, other);
  }

  /** How many pairs this node has sent ever. */
  long sent() {
    long sent = 0;
    for (OutLane lane : outgoing) {
      sent += lane == null ? 0 : lane.sent();
    }
    return sent;
  }

  /**
   * Ends a phase of sending: returns when everything that any node has sent to this one in it has
   * been taken by the sink.
   *
   * @throws BenchException if a message was lost, repeated or changed on its way, or came out of
   *     order
   */
  void awaitArrival() {
    phase++;
    for (OutLane lane : outgoing) {
      if (lane != null) {
        lane.end(phase);
      }
    }
    for (int source = 1; source < incoming.length; source++) {
      if (source != id) {
        InLane lane = incoming[source];
        await(source, "the end", () -> lane.hasEnded(phase));
        lane.check();
      }
    }
  }

  /**
   * Tells all nodes a number and returns the sum of all. Returns after every node has ended the
   * phase; so it is a barrier too.
   */
  long sum(long count) {
    long sum = count;
    for (OutLane lane : outgoing) {
      if (lane != null) {
        lane.tell(new PhaseCount(phase, count));
      }
    }
    for (int source = 1; source < incoming.length; source++) {
      if (source != id) {
        InLane lane = incoming[source];
        await(source, "the count", () -> lane.hasCounted(phase));
        sum += lane.countOf(phase);
      }
    }
    return sum;
  }

  private void await(int source, String what, BooleanSupplier condition) {
    InLane lane = incoming[source];
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
            "node %d waits for %s of phase %d from node %d: %d messages arrived, none for %d s"
                .formatted(id, what, phase, source, count, patienceNs / 1_000_000_000));
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
    long target = Pairs.target(segment, offset);
    long other = Pairs.other(segment, offset);
    try {
      if (taker == null || length != Pairs.BYTES) {
        throw new IllegalStateException("nobody expects " + length + " bytes now");
      }
      taker.take(from.nodeId(), Math.toIntExact(target), Math.toIntExact(other));
    } catch (RuntimeException e) { // for the thread that waits
      failure =
          "node %d cannot take (%d, %d) from node %d: %s"
              .formatted(id, target, other, from.nodeId(), e);
    }
    incoming[from.nodeId()].arrived(target, other);
  }

  private void ended(PhaseEnd end, Origin from) {
    incoming[from.nodeId()].ended(end);
    LockSupport.unpark(waiting);
  }

  private void counted(PhaseCount count, Origin from) {
    incoming[from.nodeId()].counted(count);
    LockSupport.unpark(waiting);
  }

  @Override
  public void close() {
    for (OutLane lane : outgoing) {
      if (lane != null) {
        lane.close();
      }
    }
  }
}
