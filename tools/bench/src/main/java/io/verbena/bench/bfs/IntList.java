// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import java.util.Arrays;

/** A growing list of vertices; for one thread at a time. */
final class IntList {

  private int[] items = new int[256];
  private int size;

  void add(int item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, size * 2);
    }
    items[size++] = item;
  }

  int size() {
    return size;
  }

  int get(int index) {
    return items[index];
  }

  void clear() {
    size = 0;
  }
}
