// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.ConnectionInfo;
import io.verbena.NodeListener;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** What a node told its listener. */
public final class Events implements NodeListener {

  /** A message that will not be consumed. */
  public record Undelivered(int nodeId, int typeId, byte[] body) {}

  private final AtomicInteger connected = new AtomicInteger();
  private final AtomicInteger disconnected = new AtomicInteger();
  private final AtomicInteger restarted = new AtomicInteger();
  private final List<String> lost = new CopyOnWriteArrayList<>();
  private final List<String> unreachable = new CopyOnWriteArrayList<>();
  private final Queue<Undelivered> undelivered = new ConcurrentLinkedQueue<>(); // may be many
  private final List<Integer> dropped = new CopyOnWriteArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();

  /** How often a session began or was resumed. */
  public int connectedTimes() {
    return connected.get();
  }

  /** How often a link broke. */
  public int disconnectedTimes() {
    return disconnected.get();
  }

  /** How often a peer came back as a new life of itself. */
  public int restartedTimes() {
    return restarted.get();
  }

  /** Why sessions ended. */
  public List<String> lostReasons() {
    return lost;
  }

  /** Why peers could not be reached. */
  public List<String> unreachableReasons() {
    return unreachable;
  }

  /** The messages that were reported undeliverable. */
  public List<Undelivered> undelivered() {
    return List.copyOf(undelivered);
  }

  /** The types of messages that were taken and not handled. */
  public List<Integer> dropped() {
    return dropped;
  }

  /** What handlers threw. */
  public List<Throwable> handlerFailures() {
    return failures;
  }

  @Override
  public void connected(ConnectionInfo connection) {
    connected.incrementAndGet();
  }

  @Override
  public void disconnected(ConnectionInfo connection, String reason) {
    disconnected.incrementAndGet();
  }

  @Override
  public void lost(int nodeId, String reason) {
    lost.add("node " + nodeId + ": " + reason);
  }

  @Override
  public void unreachable(int nodeId, String reason) {
    unreachable.add("node " + nodeId + ": " + reason);
  }

  @Override
  public void restarted(int nodeId) {
    restarted.incrementAndGet();
  }

  @Override
  public void undeliverable(
      int nodeId, int typeId, MemorySegment segment, long offset, int length) {
    byte[] body = segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    undelivered.add(new Undelivered(nodeId, typeId, body));
  }

  @Override
  public void dropped(int nodeId, int typeId) {
    dropped.add(typeId);
  }

  @Override
  public void handlerFailed(int nodeId, int typeId, Throwable failure) {
    failures.add(failure);
  }

  @Override
  public String toString() {
    return "connected "
        + connected
        + ", disconnected "
        + disconnected
        + ", restarted "
        + restarted
        + ", lost "
        + lost
        + ", unreachable "
        + unreachable
        + ", undelivered "
        + undelivered.size()
        + ", handler failures "
        + failures.stream().limit(5).toList();
  }
}
