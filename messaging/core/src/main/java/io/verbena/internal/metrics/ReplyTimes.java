// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * How long replies took: the last times of a sample. A thread that adds a time writes one word and
 * never waits. If two threads write at once one value is lost, which a sample can bear.
 */
public final class ReplyTimes {

  private static final int KEPT = 256;
  private static final VarHandle TIME = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] timesNs = new long[KEPT]; // 0: none
  private volatile int next;

  /** Adds the time that a reply took. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // of two at once, one is lost
  public void add(long timeNs) {
    int at = next++ & KEPT - 1;
    TIME.setOpaque(timesNs, at, Math.max(1, timeNs));
  }

  /** Adds a line {@code replies COUNT P50 P99 MAX}, in nanoseconds, and forgets them. */
  public void appendTo(StringBuilder text) {
    long[] taken = new long[KEPT];
    int count = 0;
    for (int i = 0; i < KEPT; i++) {
      long timeNs = (long) TIME.getAndSet(timesNs, i, 0L);
      if (timeNs != 0) {
        taken[count++] = timeNs;
      }
    }
    if (count > 0) {
      Arrays.sort(taken, 0, count);
      text.append("replies ").append(count);
      text.append(' ').append(taken[count / 2]);
      text.append(' ').append(taken[(int) (count * 0.99)]);
      text.append(' ').append(taken[count - 1]).append('\n');
    }
  }
}
