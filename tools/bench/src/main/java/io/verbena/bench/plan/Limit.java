// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

/**
 * When a round ends.
 *
 * @param messages sent by each sending node; 0 if only the time counts
 * @param nanos after this time; 0 if only the number counts
 */
public record Limit(long messages, long nanos) {

  /** Ends after so many messages of each sending node. */
  public static Limit ofMessages(long messages) {
    return new Limit(messages, 0);
  }

  /** Ends after a time. */
  public static Limit ofSeconds(double seconds) {
    return new Limit(0, Math.round(seconds * 1e9));
  }

  /** The number of messages one of several threads sends. */
  public long messagesOf(int thread, int threads) {
    return messages == 0
        ? Long.MAX_VALUE
        : messages / threads + (thread < messages % threads ? 1 : 0);
  }
}
