// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.metrics;

import io.verbena.Metrics;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** A node's counters: rare events are counted here, frequent ones by the lanes themselves. */
public final class NodeMetrics implements Metrics {

  private final Map<String, LongAdder> rare = new TreeMap<>(); // filled by the constructor only
  private final LongAdder requestsTimedOut = rare("requests.timedOut");
  private final LongAdder requestsFailed = rare("requests.failed");
  private final LongAdder repliesLate = rare("replies.late");
  private final LongAdder handlersFailed = rare("handlers.failed");
  private final LongAdder handlersDropped = rare("handlers.dropped");
  private final LongAdder messagesUndeliverable = rare("messages.undeliverable");
  private final LongAdder backPressureWaits = rare("backpressure.waits");
  private final LongAdder overflowMessages = rare("overflow.messages");
  private final LongAdder connectionsMade = rare("connections.made");
  private final LongAdder connectionsLost = rare("connections.lost");
  private final LongAdder connectionsResumed = rare("connections.resumed");
  private final LongAdder connectionsEvicted = rare("connections.evicted");
  private final LongAdder dialsFailed = rare("dials.failed");
  private final ByReason linksRejected = new ByReason("links.rejected.");
  private final ByReason sessionsBroken = new ByReason("sessions.broken.");
  private final LaneTotals sent = new LaneTotals();
  private final LaneTotals received = new LaneTotals();
  private final ReplyTimes replyTimes = new ReplyTimes();
  private volatile LongSupplier overflowBytes = () -> 0;
  private volatile LongSupplier requestsSent = () -> 0;
  private volatile Supplier<Map<String, Long>> ofTransports = Map::of;

  /** The open lanes of one direction, and the sums of those that were closed. */
  private static final class LaneTotals {
    private final Set<LaneCounters> lanes = ConcurrentHashMap.newKeySet();
    private long messages; // guarded by this
    private long bytes; // guarded by this
    private long answers; // guarded by this

    synchronized void add(LaneCounters lane) {
      lanes.add(lane);
    }

    synchronized void retire(LaneCounters lane) {
      if (lanes.remove(lane)) {
        messages += lane.messages();
        bytes += lane.bytes();
        answers += lane.answers();
      }
    }

    int open() {
      return lanes.size();
    }

    synchronized long messages() {
      return messages + sum(LaneCounters::messages);
    }

    synchronized long bytes() {
      return bytes + sum(LaneCounters::bytes);
    }

    synchronized long answers() {
      return answers + sum(LaneCounters::answers);
    }

    private long sum(ToLongFunction<LaneCounters> what) {
      return lanes.stream().mapToLong(what).sum();
    }
  }

  /** Counts by reason. The number of reasons is bounded, because peers can cause new ones. */
  private static final class ByReason {
    private static final int MAX_REASONS = 64;
    private static final String OTHER = "other";

    private final String prefix;
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    ByReason(String prefix) {
      this.prefix = prefix;
    }

    void count(String reason) {
      LongAdder count = counts.get(reason);
      (count == null ? admit(reason) : count).increment();
    }

    private synchronized LongAdder admit(String reason) {
      boolean hasRoom = counts.size() < MAX_REASONS && !reason.isEmpty();
      return counts.computeIfAbsent(hasRoom ? reason : OTHER, unused -> new LongAdder());
    }

    void addTo(Map<String, Long> all) {
      counts.forEach((reason, count) -> all.merge(prefix + reason, count.sum(), Long::sum));
    }
  }

  private LongAdder rare(String name) {
    LongAdder counter = new LongAdder();
    rare.put(name, counter);
    return counter;
  }

  /** An outgoing lane was opened. */
  public void addSent(LaneCounters lane) {
    sent.add(lane);
  }

  /** An outgoing lane is gone. */
  public void retireSent(LaneCounters lane) {
    sent.retire(lane);
  }

  /** How many outgoing lanes are open. */
  public int openSentLanes() {
    return sent.open();
  }

  /** An incoming lane was opened. */
  public void addReceived(LaneCounters lane) {
    received.add(lane);
  }

  /** An incoming lane is gone. */
  public void retireReceived(LaneCounters lane) {
    received.retire(lane);
  }

  /** Sets the source of how many bytes wait in backlogs. */
  public void overflowGauge(LongSupplier bytes) {
    overflowBytes = bytes;
  }

  /** Sets the source of how many requests there were so far. */
  public void requestsGauge(LongSupplier sent) {
    requestsSent = sent;
  }

  /** Sets the source of what transports count themselves, by name. */
  public void transportCounters(Supplier<Map<String, Long>> counters) {
    ofTransports = counters;
  }

  /** How long replies took. */
  public ReplyTimes replyTimes() {
    return replyTimes;
  }

  /** A request got no answer in time. */
  public void requestTimedOut() {
    requestsTimedOut.increment();
  }

  /** A request failed for another reason than a time-out. */
  public void requestFailed() {
    requestsFailed.increment();
  }

  /** An answer met no request. */
  public void lateReply() {
    repliesLate.increment();
  }

  /** A handler threw, or there was none. */
  public void handlerFailed() {
    handlersFailed.increment();
  }

  /** A message was received, and the node closed before it was handled. */
  public void handlerDropped() {
    handlersDropped.increment();
  }

  /** An accepted message will not be consumed. */
  public void undeliverable() {
    messagesUndeliverable.increment();
  }

  /** A sender slept because its lane was full. */
  public void backPressureWait() {
    backPressureWaits.increment();
  }

  /** A handler's message was queued because its lane was full. */
  public void overflowMessage() {
    overflowMessages.increment();
  }

  /** A session began. */
  public void connectionMade() {
    connectionsMade.increment();
  }

  /** A session ended for another reason than eviction. */
  public void connectionLost() {
    connectionsLost.increment();
  }

  /** A broken link was made again. */
  public void connectionResumed() {
    connectionsResumed.increment();
  }

  /** An idle connection was closed. */
  public void connectionEvicted() {
    connectionsEvicted.increment();
  }

  /** A dial for a session that was to begin has been given up. */
  public void dialFailed() {
    dialsFailed.increment();
  }

  /** A link was refused. */
  public void rejected(String reason) {
    linksRejected.count(reason);
  }

  /** A session was ended because the peer broke the protocol. */
  public void sessionBroken(String reason) {
    sessionsBroken.count(category(reason));
  }

  /** A reason's first words, up to the first digit or sign, which differ from case to case. */
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
    SortedMap<String, Long> all = new TreeMap<>(ofTransports.get());
    rare.forEach((name, count) -> all.put(name, count.sum()));
    linksRejected.addTo(all);
    sessionsBroken.addTo(all);
    all.put("messages.sent", messagesSent());
    all.put("messages.received", messagesReceived());
    all.put("bytes.sent", bytesSent());
    all.put("bytes.received", bytesReceived());
    all.put("overflow.bytes", overflowBytes.getAsLong());
    all.put("requests.sent", requestsSent.getAsLong());
    all.put("requests.answered", received.answers());
    return all;
  }

  @Override
  public String toString() {
    return snapshot().toString();
  }
}
