// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import java.util.List;

/** The neighbours of the vertices one node owns: compressed sparse rows. */
final class Adjacency {

  private final int[] starts; // by vertex, counted from the node's first one, and the end
  private final int[] neighbours;

  private Adjacency(int[] starts, int[] neighbours) {
    this.starts = starts;
    this.neighbours = neighbours;
  }

  /**
   * Sorts edges by their first vertex.
   *
   * @param first the node's first vertex
   * @param count how many vertices it owns
   * @param heaps edges from owned vertices
   */
  static Adjacency of(int first, int count, List<EdgeHeap> heaps) {
    int[] starts = new int[count + 1];
    heaps.forEach(heap -> heap.forEach(edge -> starts[Kronecker.from(edge) - first + 1]++));
    for (int i = 0; i < count; i++) {
      starts[i + 1] = Math.addExact(starts[i], starts[i + 1]);
    }
    int[] neighbours = new int[starts[count]];
    int[] next = starts.clone();
    heaps.forEach(
        heap ->
            heap.forEach(
                edge -> neighbours[next[Kronecker.from(edge) - first]++] = Kronecker.to(edge)));
    return new Adjacency(starts, neighbours);
  }

  /** Where the neighbours of a vertex start; those of the next one start where they end. */
  int start(int local) {
    return starts[local];
  }

  int neighbour(int index) {
    return neighbours[index];
  }

  int size() {
    return neighbours.length;
  }
}
