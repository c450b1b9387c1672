// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

/**
 * Which node owns which vertex: each a run of vertices, as even as can be. Node ids are 1 to {@code
 * nodes}.
 *
 * @param scale there are 2^scale vertices
 * @param nodes how many nodes
 */
public record Partition(int scale, int nodes) {

  /** The node that owns a vertex. */
  public int owner(int vertex) {
    return (int) (((long) vertex * nodes) >>> scale) + 1;
  }

  /** The first vertex of a node; for the id after the last one: the number of vertices. */
  public int first(int node) {
    return (int) ((((long) (node - 1) << scale) + nodes - 1) / nodes);
  }

  /** How many vertices a node owns. */
  public int count(int node) {
    return first(node + 1) - first(node);
  }

  /** The number of the first edge that a node generates. */
  public long firstEdge(int node, long edges) {
    return (node - 1) * edges / nodes;
  }
}
