// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.util.Objects.requireNonNull;

import io.verbena.kv.store.index.Entry;
import io.verbena.kv.store.index.Found;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What a look-up needs: a copy of its key outside of the heap, where all that it is compared with
 * lies, too, and room for what is found.
 */
final class Lookup {
  final MemorySegment key = Arena.ofAuto().allocate(Entry.MAX_KEY, 8);
  final Found found = new Found(null);
  int keyLength;

  void setKey(byte[] key) {
    Limits.checkKey(requireNonNull(key, "key").length);
    keyLength = key.length;
    MemorySegment.copy(key, 0, this.key, JAVA_BYTE, 0, keyLength);
  }

  void setKey(MemorySegment key) {
    Limits.checkKey(key.byteSize());
    keyLength = (int) key.byteSize();
    MemorySegment.copy(key, 0, this.key, 0, keyLength);
  }

  /** Lookups that are used again, so that a call takes no memory. */
  static final class Pool {
    private static final int SPREAD = 16; // slots of two threads lie in different lines
    private static final int PROBES = 4;
    private final int mask =
        Integer.highestOneBit(8 * Runtime.getRuntime().availableProcessors()) - 1;
    private final AtomicReferenceArray<@Nullable Lookup> slots =
        new AtomicReferenceArray<>((mask + 1) * SPREAD);

    /** One that nobody else has. */
    Lookup take() {
      int slot = slot();
      for (int i = 0; i < PROBES; i++) {
        int at = after(slot, i);
        Lookup kept = slots.get(at) == null ? null : slots.getAndSet(at, null);
        if (kept != null) {
          return kept;
        }
      }
      return new Lookup();
    }

    void giveBack(Lookup lookup) {
      lookup.found.reset(null);
      int slot = slot();
      for (int i = 0; i < PROBES; i++) {
        int at = after(slot, i);
        if (slots.get(at) == null && slots.compareAndSet(at, null, lookup)) {
          return;
        }
      }
    }

    private int slot() {
      return (int) Thread.currentThread().threadId() & mask;
    }

    private int after(int slot, int i) {
      return (slot + i & mask) * SPREAD;
    }
  }
}
