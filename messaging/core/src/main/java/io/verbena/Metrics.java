// SPDX-License-Identifier: Apache-2.0
package io.verbena;

import java.util.SortedMap;

/** A node's counters since it was opened. Reading them costs the hot path nothing. */
public interface Metrics {

  /** Messages put on lanes. */
  long messagesSent();

  /** Messages handed to handlers. */
  long messagesReceived();

  /** Payload bytes put on lanes. */
  long bytesSent();

  /** Payload bytes handed to handlers. */
  long bytesReceived();

  /**
   * Everything, by name, zeros included:
   *
   * <ul>
   *   <li>{@code messages.sent}, {@code messages.received}, {@code bytes.sent}, {@code
   *       bytes.received}: the four above
   *   <li>{@code messages.undeliverable}: accepted and never consumed by the peer
   *   <li>{@code requests.sent}, {@code requests.answered}: all there were, and those whose reply
   *       came; {@code requests.timedOut}, {@code requests.failed}: those without a reply in time,
   *       and those that ended with an error. What is missing was cancelled or is open
   *   <li>{@code replies.late}: answers that met no request any more
   *   <li>{@code handlers.failed}: messages whose handler threw, that had none, or that this
   *       version of the program cannot express
   *   <li>{@code handlers.dropped}: messages that waited for their handlers when the node closed
   *   <li>{@code backpressure.waits}: how often a sender slept because its lane was full
   *   <li>{@code overflow.messages}: handlers' messages that were queued because a lane was full;
   *       {@code overflow.bytes}: how much is queued now
   *   <li>{@code connections.made}, {@code connections.resumed}, {@code connections.evicted},
   *       {@code connections.lost}: sessions begun, links made again, idle sessions closed,
   *       sessions ended otherwise; {@code dials.failed}: how often {@link
   *       NodeListener#unreachable} was told
   *   <li>{@code links.rejected.REASON}, {@code sessions.broken.REASON}: incoming links refused,
   *       and sessions ended because the peer broke the protocol; present once the reason has
   *       occurred, {@code other} when there are too many. Over verbs each packet of the exchange
   *       that was refused counts
   *   <li>{@code rdma.connections}, {@code rdma.links.made}, {@code rdma.links.lost}: connections
   *       over verbs that are up, that came up, that went down; {@code rdma.refused.REASON}:
   *       packets of the exchange refused for {@code protocol}, {@code identity} or {@code key},
   *       which are among {@code links.rejected}, too; {@code rdma.exchange.packets.in}, {@code
   *       rdma.exchange.packets.out}: all of its packets; {@code rdma.receive.buffer.bytes}, {@code
   *       rdma.completion.queue.bytes}, {@code rdma.bytes.per.connection}: memory. Present if the
   *       node uses rdma
   * </ul>
   */
  SortedMap<String, Long> snapshot();
}
