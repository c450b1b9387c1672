// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.verify;

import java.util.Arrays;

/** The numbers seen: all below a base, and a window of bits above it that grows as needed. */
final class SequenceSet {

  private static final int MAX_WINDOW_WORDS = 1 << 22;

  private long[] window = new long[1024];
  private long base; // a multiple of 64; every number below it was seen, or given up
  private long restart;

  /** Whether the number is within reach of what was seen so far. */
  boolean canHold(long sequence) {
    return sequence - base < (long) MAX_WINDOW_WORDS * Long.SIZE;
  }

  /** Adds a number; returns false if it is there. */
  boolean add(long sequence) {
    if (sequence < base || sequence < restart) {
      return false;
    }
    int word = (int) ((sequence - base) >>> 6);
    if (word >= window.length) {
      makeRoomFor(word);
      word = (int) ((sequence - base) >>> 6);
    }
    long bit = 1L << sequence;
    if ((window[word] & bit) != 0) {
      return false;
    }
    window[word] |= bit;
    return true;
  }

  /** How many numbers below {@code end} are not there. */
  long missingBelow(long end) {
    return Math.max(0, end - Math.max(base, restart)) - countBetween(Math.max(base, restart), end);
  }

  /** How many numbers from {@code start} on are there. */
  long countFrom(long start) {
    return countBetween(start, base + (long) window.length * Long.SIZE);
  }

  /** Forgets everything; numbers below {@code start} count as seen. */
  void restartAt(long start) {
    Arrays.fill(window, 0);
    base = start & -64;
    restart = start;
  }

  private long countBetween(long start, long end) {
    long count = 0;
    for (int i = 0; i < window.length; i++) {
      long first = base + (long) i * Long.SIZE;
      count += Long.bitCount(window[i] & maskBetween(start - first, end - first));
    }
    return count;
  }

  /** The bits from {@code low} to {@code high}, each cut to the word. */
  private static long maskBetween(long low, long high) {
    int from = Math.clamp(low, 0, Long.SIZE);
    int to = Math.clamp(high, 0, Long.SIZE);
    return from >= to ? 0 : -1L >>> (Long.SIZE - (to - from)) << from;
  }

  private void makeRoomFor(int word) {
    int full = 0;
    while (full < window.length && isFull(full)) {
      full++;
    }
    if (full > 0) {
      System.arraycopy(window, full, window, 0, window.length - full);
      Arrays.fill(window, window.length - full, window.length, 0);
      base += (long) full * Long.SIZE;
    }
    if (word - full >= window.length) {
      window = Arrays.copyOf(window, Integer.highestOneBit(word - full) * 2);
    }
  }

  private boolean isFull(int word) {
    long first = base + (long) word * Long.SIZE;
    return (window[word] | maskBetween(0, restart - first)) == -1L;
  }
}
