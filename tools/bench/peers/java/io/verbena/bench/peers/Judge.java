// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers;

import io.verbena.bench.message.StampFormat;
import io.verbena.bench.message.Views;
import io.verbena.bench.verify.OrderedVerifier;
import io.verbena.bench.verify.Tally;
import io.verbena.bench.verify.Verifier;
import io.verbena.bench.verify.Window;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/** Judges what a receiver is given, by the same code that judges the messages of Verbena. */
public final class Judge {

  /** All memory outside of the heap, for libraries that tell addresses. */
  public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /** No message for this long while some are missing: they will not come. */
  private static final long STALL_NS = TimeUnit.SECONDS.toNanos(5);

  /** After the last message: one that comes twice would come now. */
  private static final long STRAGGLERS_MS = 20;

  private static final int SAMPLED_BYTES = 16 * 1024;

  private final int sizeBytes;
  private final Views views;
  private final Verifier verifier;
  private long surplus; // how many more have arrived than were sent; negative if some were lost

  Judge(int sizeBytes) {
    this.sizeBytes = sizeBytes;
    this.views = Views.ofSize(sizeBytes);
    StampFormat format = StampFormat.ofMessages(sizeBytes);
    int stride = Math.clamp(SAMPLED_BYTES / sizeBytes, 1, 256);
    this.verifier = new OrderedVerifier(format, 1, stride);
    verifier.beginRound();
  }

  /** A message came in; one at a time, from any thread. */
  public void take(MemorySegment from, long offset, long lengthBytes) {
    if (lengthBytes != sizeBytes) {
      verifier.acceptCorrupted();
      return;
    }
    long stamp = views.stamp(from, offset);
    if (views.isIntact(stamp, from, offset)) {
      verifier.accept(stamp);
    } else {
      verifier.acceptCorrupted();
    }
  }

  /** Waits for all that was sent, or until nothing more comes, and ends the round. */
  String verdict(long sent) throws InterruptedException {
    awaitArrival(sent);
    Window window = verifier.window();
    Tally tally = verifier.endRound(new long[] {sent});
    verifier.beginRound();
    return "\"expected\":%d,\"lost\":%d,\"duplicated\":%d,\"corrupted\":%d,\"reordered\":%d"
            .formatted(
                tally.expected(),
                tally.lost(),
                tally.duplicated(),
                tally.corrupted(),
                tally.reordered())
        + ",\"first_ns\":%d,\"last_ns\":%d,\"timed\":%d"
            .formatted(window.firstNs(), window.lastNs(), window.messages());
  }

  private void awaitArrival(long sent) throws InterruptedException {
    long lastCount = -1;
    long lastChangeNs = System.nanoTime();
    while (verifier.received() - surplus < sent && System.nanoTime() - lastChangeNs < STALL_NS) {
      long count = verifier.received();
      if (count != lastCount) {
        lastCount = count;
        lastChangeNs = System.nanoTime();
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
    TimeUnit.MILLISECONDS.sleep(STRAGGLERS_MS);
    surplus = verifier.received() - sent;
  }
}
