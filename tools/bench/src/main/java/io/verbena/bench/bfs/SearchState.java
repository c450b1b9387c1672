// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * What one node knows of a search: parent and level of the vertices it owns, and those found for
 * the next level. The searching thread and the one that receives both find vertices.
 */
final class SearchState {

  /** The parent of a vertex that was not found. */
  static final int NONE = -1;

  private static final VarHandle PARENT = MethodHandles.arrayElementVarHandle(int[].class);
  private static final int MAX_LEVEL = Byte.MAX_VALUE;

  private final int first;
  private final int[] parents; // by vertex, counted from the first one
  private final byte[] levels;
  private IntList[] frontier; // by who found them; one of each thread's own
  private IntList[] found;

  // Written after the lists were exchanged, before a peer could send for the next level, and read
  // by the receiving thread before it touches them.
  private volatile int level;

  SearchState(Partition partition, int node) {
    this.first = partition.first(node);
    this.parents = new int[partition.count(node)];
    this.levels = new byte[parents.length];
    this.frontier = lists(partition.nodes());
    this.found = lists(partition.nodes());
  }

  private static IntList[] lists(int nodes) {
    IntList[] lists = new IntList[nodes + 1];
    Arrays.setAll(lists, node -> new IntList());
    return lists;
  }

  /** Forgets the last search. */
  void clear() {
    Arrays.fill(parents, NONE);
    Arrays.fill(levels, (byte) NONE);
    for (int i = 0; i < found.length; i++) {
      found[i].clear();
      frontier[i].clear();
    }
    level = 0;
  }

  /**
   * A neighbour of a vertex of the current level: is taken up if it was not found before.
   *
   * @param finder the node whose message tells it, or this one
   */
  void visit(int finder, int vertex, int parent) {
    int local = vertex - first;
    // The first look spares most vertices the exchange; opaque: the exchange decides.
    if ((int) PARENT.getOpaque(parents, local) == NONE
        && PARENT.compareAndSet(parents, local, NONE, parent)) {
      levels[local] = (byte) level;
      found[finder].add(vertex);
    }
  }

  /** Everything of this level has arrived: what was found is the frontier now. */
  int advance() {
    IntList[] done = frontier;
    frontier = found;
    found = done;
    int size = 0;
    for (int i = 0; i < found.length; i++) {
      found[i].clear();
      size += frontier[i].size();
    }
    if (level == MAX_LEVEL) {
      throw new IllegalStateException("a graph deeper than " + MAX_LEVEL + " levels");
    }
    level++;
    return size;
  }

  /** The vertices whose neighbours are to be visited; by who found them. */
  IntList[] frontier() {
    return frontier;
  }

  int[] parents() {
    return parents;
  }

  byte[] levels() {
    return levels;
  }
}
