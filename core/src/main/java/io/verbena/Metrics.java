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
   * Everything, by name. Besides the four above: {@code requests.timedOut}, {@code requests.failed},
   * {@code replies.late}, {@code handlers.failed}, {@code messages.undeliverable}, {@code
   * backpressure.waits}, {@code overflow.messages}, {@code overflow.bytes} (now), {@code
   * connections.made}, {@code connections.lost}, {@code connections.resumed}, {@code
   * connections.evicted}, and with a reason behind the last dot {@code links.rejected.*} and {@code
   * sessions.broken.*}.
   */
  SortedMap<String, Long> snapshot();
}
