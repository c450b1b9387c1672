// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.verify;

import io.verbena.bench.message.StampFormat;

/** Judges messages that arrive in any order and from many threads at once: virtual threads. */
public final class UnorderedVerifier extends Verifier {

  private final StampFormat format;
  private final SequenceSet[] seen;
  private final long[] settled;
  private long duplicated;

  /** Makes one for a source with this many threads. */
  public UnorderedVerifier(StampFormat format, int threads, int samplingStride) {
    super(samplingStride);
    if (format.sizeBytes() < Long.BYTES) {
      throw new IllegalArgumentException(
          "messages without an order need a whole sequence number: 8 bytes or more");
    }
    this.format = format;
    this.settled = new long[threads];
    this.seen = new SequenceSet[threads];
    for (int i = 0; i < threads; i++) {
      seen[i] = new SequenceSet();
    }
  }

  @Override
  public synchronized void accept(long stamp) {
    int thread = format.thread(stamp);
    long sequence = stamp & format.sequenceMask();
    if (Integer.compareUnsigned(thread, seen.length) >= 0 || !seen[thread].canHold(sequence)) {
      foundCorrupted();
    } else if (!seen[thread].add(sequence)) {
      duplicated++;
    }
    arrived();
  }

  @Override
  public synchronized void acceptCorrupted() {
    super.acceptCorrupted();
  }

  @Override
  synchronized Tally settle(long[] sent) {
    long expected = 0;
    long lost = 0;
    for (int i = 0; i < seen.length; i++) {
      expected += sent[i] - settled[i];
      lost += seen[i].missingBelow(sent[i]);
      for (long beyond = seen[i].countFrom(sent[i]); beyond > 0; beyond--) {
        foundCorrupted();
      }
      seen[i].restartAt(sent[i]);
      settled[i] = sent[i];
    }
    Tally tally = new Tally(expected, lost, duplicated, 0, 0);
    duplicated = 0;
    return tally;
  }
}
