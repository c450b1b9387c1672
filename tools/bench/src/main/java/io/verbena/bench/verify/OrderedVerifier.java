// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.verify;

import io.verbena.bench.message.StampFormat;
import java.util.HashSet;
import java.util.Set;

/** Judges messages that arrive in the order each thread sent them: inline handlers and pools. */
public final class OrderedVerifier extends Verifier {

  /** More gaps than this are counted, but a late message is then taken for a repeated one. */
  private static final int MAX_REMEMBERED = 1 << 20;

  private final int sequenceBits;
  private final long sequenceMask;
  private final long[] next;
  private final long[] settled;
  private final Set<Long> missing = new HashSet<>();
  private long lost;
  private long duplicated;
  private long reordered;

  /** Makes one for a source with this many threads. */
  public OrderedVerifier(StampFormat format, int threads, int samplingStride) {
    super(samplingStride);
    this.sequenceBits = format.sequenceBits();
    this.sequenceMask = format.sequenceMask();
    this.next = new long[threads];
    this.settled = new long[threads];
  }

  @Override
  public void accept(long stamp) {
    int thread = (int) (stamp >>> sequenceBits);
    if (Integer.compareUnsigned(thread, next.length) >= 0) {
      foundCorrupted();
    } else {
      long expected = next[thread];
      if (((stamp ^ expected) & sequenceMask) == 0) {
        next[thread] = expected + 1;
      } else {
        acceptOutOfOrder(thread, stamp);
      }
    }
    arrived();
  }

  private void acceptOutOfOrder(int thread, long stamp) {
    long expected = next[thread];
    long sequence = expected + distance(expected, stamp);
    if (sequence > expected) {
      skip(thread, expected, sequence);
    } else if (missing.remove(key(thread, sequence))) {
      lost--;
      reordered++;
    } else {
      duplicated++;
    }
  }

  /** How far a cut sequence number is from the expected one: the shorter way round. */
  private long distance(long expected, long stamp) {
    int unused = Long.SIZE - sequenceBits;
    return (stamp - expected) << unused >> unused;
  }

  private void skip(int thread, long expected, long sequence) {
    lost += sequence - expected;
    for (long i = expected; i < sequence && missing.size() < MAX_REMEMBERED; i++) {
      missing.add(key(thread, i));
    }
    next[thread] = sequence + 1;
  }

  private long key(int thread, long sequence) {
    return (long) thread << 48 | sequence;
  }

  @Override
  Tally settle(long[] sent) {
    long expected = 0;
    for (int i = 0; i < next.length; i++) {
      expected += sent[i] - settled[i];
      lost += Math.max(0, sent[i] - next[i]);
      for (long beyond = sent[i]; beyond < next[i]; beyond++) {
        settleBeyond(i, beyond);
      }
      next[i] = sent[i];
      settled[i] = sent[i];
    }
    Tally tally = new Tally(expected, lost, duplicated, 0, reordered);
    missing.clear();
    lost = 0;
    duplicated = 0;
    reordered = 0;
    return tally;
  }

  /** A number that was never sent: invented, if it was seen, and not lost, if it was skipped. */
  private void settleBeyond(int thread, long sequence) {
    if (missing.remove(key(thread, sequence))) {
      lost--;
    } else {
      foundCorrupted();
    }
  }
}
