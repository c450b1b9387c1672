// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.raw;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.HdrHistogram.Histogram;

/** Copies between native memory: from one place into a ring as large as a lane. */
final class MemoryCopy implements Baseline {

  private static final long RING_BYTES = 4 << 20;
  private static final int LOOK_AT_CLOCK_BYTES = 1 << 20;

  private final int sizeBytes;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment from;
  private final MemorySegment ring = arena.allocate(RING_BYTES, 64);

  MemoryCopy(int sizeBytes) {
    this.sizeBytes = sizeBytes;
    this.from = arena.allocate(sizeBytes, 64);
  }

  @Override
  public String name() {
    return "memcpy";
  }

  @Override
  public int sizeBytes() {
    return sizeBytes;
  }

  @Override
  public double run(long durationNs, Histogram roundTripNs) {
    int batch = Math.max(1, LOOK_AT_CLOCK_BYTES / sizeBytes);
    long startNs = System.nanoTime();
    long copies = 0;
    long offset = 0;
    long nowNs;
    do {
      for (int i = 0; i < batch; i++) {
        MemorySegment.copy(from, 0, ring, offset, sizeBytes);
        offset = (offset + sizeBytes) & (RING_BYTES - 1);
      }
      copies += batch;
      nowNs = System.nanoTime();
    } while (nowNs - startNs < durationNs);
    return copies * 1e9 / (nowNs - startNs);
  }

  @Override
  public void close() {
    arena.close();
  }
}
