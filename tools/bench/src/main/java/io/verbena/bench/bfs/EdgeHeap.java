// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import java.util.ArrayList;
import java.util.List;

/** Edges on a heap, in the order they came; for one thread at a time. Grows without copying. */
final class EdgeHeap {

  private static final int CHUNK = 1 << 14;

  private final List<long[]> chunks = new ArrayList<>();
  private long[] last = new long[0];
  private int used;

  void add(long edge) {
    if (used == last.length) {
      last = new long[CHUNK];
      chunks.add(last);
      used = 0;
    }
    last[used++] = edge;
  }

  long size() {
    return chunks.isEmpty() ? 0 : (long) (chunks.size() - 1) * CHUNK + used;
  }

  /** Takes one edge after the other. */
  @FunctionalInterface
  interface EdgeTaker {
    void take(long edge);
  }

  void forEach(EdgeTaker taker) {
    for (long[] chunk : chunks) {
      int end = chunk == last ? used : CHUNK;
      for (int i = 0; i < end; i++) {
        taker.take(chunk[i]);
      }
    }
  }
}
