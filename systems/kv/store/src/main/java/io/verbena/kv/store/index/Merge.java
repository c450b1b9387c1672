// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Entries of several cursors in one order: a heap of those that have an entry, the smallest one on
 * top.
 */
public final class Merge extends Cursor {
  private final Cursor[] all;
  private final Cursor[] heap;
  private int size;

  public Merge(List<? extends Cursor> cursors) {
    all = cursors.toArray(Cursor[]::new);
    heap = new Cursor[all.length];
  }

  @Override
  public boolean seek(MemorySegment key, long keyOffset, int keyLength, long word)
      throws IOException {
    size = 0;
    for (Cursor cursor : all) {
      if (cursor.seek(key, keyOffset, keyLength, word)) {
        heap[size++] = cursor;
      }
    }
    return order();
  }

  /** Begins where the cursors have not been moved yet, with the first entry of each. */
  public boolean first() throws IOException {
    size = 0;
    for (Cursor cursor : all) {
      if (cursor.next()) {
        heap[size++] = cursor;
      }
    }
    return order();
  }

  private boolean order() {
    for (int i = size / 2 - 1; i >= 0; i--) {
      sink(i);
    }
    return showTop();
  }

  @Override
  public boolean next() throws IOException {
    if (!heap[0].next()) {
      heap[0] = heap[--size];
    }
    if (size > 0) {
      sink(0);
    }
    return showTop();
  }

  private void sink(int i) {
    Cursor moved = heap[i];
    for (int child = 2 * i + 1; child < size; child = 2 * i + 1) {
      if (child + 1 < size && heap[child + 1].compareTo(heap[child]) < 0) {
        child++;
      }
      if (moved.compareTo(heap[child]) <= 0) {
        break;
      }
      heap[i] = heap[child];
      i = child;
    }
    heap[i] = moved;
  }

  private boolean showTop() {
    if (size == 0) {
      return false;
    }
    Cursor top = heap[0];
    memory = top.memory;
    key = top.key;
    keyLength = top.keyLength;
    word = top.word;
    value = top.value;
    valueLength = top.valueLength;
    return true;
  }
}
