// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import org.jspecify.annotations.Nullable;

/**
 * Decides when listeners hear that a peer cannot be reached: when a dial has failed, and while one
 * goes on, which senders may prolong without end. They hear it once per {@code connect.timeout} at
 * most, as a peer that refuses may be dialled hundreds of times a second. Used under the
 * connection's lock.
 */
final class UnreachableNews {

  private final long periodNs;
  private long overNs = System.nanoTime(); // when the last session was over
  private long toldNs = overNs;
  private boolean told; // since that session
  private @Nullable String untold; // why the last dial failed, if that came too soon to be told

  UnreachableNews(long periodNs) {
    this.periodNs = periodNs;
  }

  /** A session is over: what was told before it does not count. */
  void sessionOver(long nowNs) {
    overNs = nowNs;
    told = false;
    untold = null;
  }

  /**
   * A dial has failed.
   *
   * @param sinceNs when it began
   * @return whether that is to be told now; if not, it was told of this dial or is told later
   */
  boolean dialFailed(String why, long sinceNs, long nowNs) {
    if (isQuiet(nowNs)) {
      untold = toldNs - sinceNs > 0 ? null : why;
      return false;
    }
    tell(nowNs);
    return true;
  }

  /** What is to be told now of the dial that failed last; null if there is nothing. */
  @Nullable String ofLastDial(long nowNs) {
    String why = untold;
    if (why == null || isQuiet(nowNs)) {
      return null;
    }
    tell(nowNs);
    return why;
  }

  /**
   * Whether it is to be told now that a dial goes on.
   *
   * @param sinceNs when it began
   */
  boolean ofDialUnderWay(long sinceNs, long nowNs) {
    long missedNs = overNs - sinceNs > 0 ? overNs : sinceNs;
    if (isQuiet(nowNs) || nowNs - missedNs < periodNs) {
      return false;
    }
    tell(nowNs);
    return true;
  }

  private boolean isQuiet(long nowNs) {
    return told && nowNs - toldNs < periodNs;
  }

  private void tell(long nowNs) {
    told = true;
    toldNs = nowNs;
    untold = null;
  }
}
