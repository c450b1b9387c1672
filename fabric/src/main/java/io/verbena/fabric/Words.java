// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongFunction;

/** Where atomics whose user gives no memory bring what was there before. Any thread. */
final class Words implements AutoCloseable {

  private static final long PIECE_BYTES = 4096;

  /** 8 bytes. */
  record Word(Region region, long offset) {
    long value() {
      return region.memory().get(ValueLayout.JAVA_LONG, offset);
    }

    /** Of the first 4. */
    int shortValue() {
      return region.memory().get(ValueLayout.JAVA_INT, offset);
    }
  }

  private final LongFunction<Region> allocating;
  private final List<Region> pieces = new ArrayList<>(); // guarded by this
  private final Deque<Word> free = new ArrayDeque<>(); // guarded by this

  Words(LongFunction<Region> allocating) {
    this.allocating = allocating;
  }

  synchronized Word take() {
    if (free.isEmpty()) {
      Region piece = allocating.apply(PIECE_BYTES);
      pieces.add(piece);
      for (long offset = 0; offset < PIECE_BYTES; offset += Long.BYTES) {
        free.push(new Word(piece, offset));
      }
    }
    return free.pop();
  }

  /** Nothing is under way there any more. */
  synchronized void giveBack(Word word) {
    free.push(word);
  }

  @Override
  public synchronized void close() {
    pieces.forEach(Region::close);
    pieces.clear();
    free.clear();
  }
}
