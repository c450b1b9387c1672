// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.Metrics;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** The counters: rare events are added up here, frequent ones are read from the lanes. */
public final class NodeMetrics implements Metrics {

  /** What a peer can make us count by name is bounded. */
  private static final int MAX_REASONS = 100;

  private final Map<String, LongAdder> counters = new ConcurrentHashMap<>();
  private final LaneTotals sent = new LaneTotals();
  private final LaneTotals received = new LaneTotals();
  private volatile LongSupplier overflowBytes = () -> 0;

  /** Lanes of one direction: those there are, and what those that are gone have carried. */
  private static final class LaneTotals {
    private final Set<LaneCounters> lanes = ConcurrentHashMap.newKeySet();
    private long messages; // guarded by this
    private long bytes; // guarded by this

    synchronized void add(LaneCounters lane) {
      lanes.add(lane);
    }

    synchronized void retire(LaneCounters lane) {
      if (lanes.remove(lane)) {
        messages += lane.messages();
        bytes += lane.bytes();
      }
    }

    synchronized long messages() {
      return messages + sum(LaneCounters::messages);
    }

    synchronized long bytes() {
      return bytes + sum(LaneCounters::bytes);
    }

    private long sum(ToLongFunction<LaneCounters> what) {
      return lanes.stream().mapToLong(what).sum();
    }
  }

  private void count(String name) {
    counters.computeIfAbsent(name, unused -> new LongAdder()).increment();
  }

  private void countReason(String prefix, String reason) {
    String name = prefix + reason;
    count(counters.size() < MAX_REASONS || counters.containsKey(name) ? name : prefix + "other");
  }

  /** An outgoing lane was opened. */
  public void addSent(LaneCounters lane) {
    sent.add(lane);
  }

  /** An outgoing lane is gone. */
  public void retireSent(LaneCounters lane) {
    sent.retire(lane);
  }

  /** An incoming lane was opened. */
  public void addReceived(LaneCounters lane) {
    received.add(lane);
  }

  /** An incoming lane is gone. */
  public void retireReceived(LaneCounters lane) {
    received.retire(lane);
  }

  /** How many bytes wait in backlogs. */
  public void overflowGauge(LongSupplier bytes) {
    overflowBytes = bytes;
  }

  /** A request got no answer in time. */
  public void requestTimedOut() {
    count("requests.timedOut");
  }

  /** A request failed otherwise. */
  public void requestFailed() {
    count("requests.failed");
  }

  /** An answer met no request. */
  public void lateReply() {
    count("replies.late");
  }

  /** A handler threw, or there was none. */
  public void handlerFailed() {
    count("handlers.failed");
  }

  /** An accepted message will not be consumed. */
  public void undeliverable() {
    count("messages.undeliverable");
  }

  /** A sender slept because its lane was full. */
  public void backPressureWait() {
    count("backpressure.waits");
  }

  /** A handler's message was queued because its lane was full. */
  public void overflowMessage() {
    count("overflow.messages");
  }

  /** A session began. */
  public void connectionMade() {
    count("connections.made");
  }

  /** A session ended otherwise than by eviction. */
  public void connectionLost() {
    count("connections.lost");
  }

  /** A broken link was made again. */
  public void connectionResumed() {
    count("connections.resumed");
  }

  /** An idle connection was closed. */
  public void connectionEvicted() {
    count("connections.evicted");
  }

  /** A link was refused. */
  public void rejected(String reason) {
    countReason("links.rejected.", reason);
  }

  /** A session was ended because the peer broke the protocol. */
  public void sessionBroken(String reason) {
    countReason("sessions.broken.", category(reason));
  }

  /** A reason's first words, without what differs from case to case. */
  private static String category(String reason) {
    int end = 0;
    while (end < reason.length() && end < 40) {
      char c = reason.charAt(end);
      if (!Character.isLetter(c) && c != ' ') {
        break;
      }
      end++;
    }
    return reason.substring(0, end).strip().replace(' ', '-');
  }

  @Override
  public long messagesSent() {
    return sent.messages();
  }

  @Override
  public long messagesReceived() {
    return received.messages();
  }

  @Override
  public long bytesSent() {
    return sent.bytes();
  }

  @Override
  public long bytesReceived() {
    return received.bytes();
  }

  @Override
  public SortedMap<String, Long> snapshot() {
    SortedMap<String, Long> all = new TreeMap<>();
    counters.forEach((name, count) -> all.put(name, count.sum()));
    all.put("messages.sent", messagesSent());
    all.put("messages.received", messagesReceived());
    all.put("bytes.sent", bytesSent());
    all.put("bytes.received", bytesReceived());
    all.put("overflow.bytes", overflowBytes.getAsLong());
    return all;
  }
}
