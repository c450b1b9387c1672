// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import io.verbena.bench.plan.Check;
import io.verbena.bench.plan.SystemUnderTest;

/**
 * A breadth-first search to measure.
 *
 * @param scale the graph has 2^scale vertices
 * @param edgeFactor edges for each vertex
 * @param nodes how many node processes
 * @param roots how many searches
 * @param seed of graph and roots
 * @param system what carries the messages
 */
public record BfsPlan(
    int scale, int edgeFactor, int nodes, int roots, long seed, SystemUnderTest system) {

  /** The largest graph: edge lists are arrays. */
  public static final int MAX_SCALE = 26;

  /**
   * Checks that it can be measured.
   *
   * @throws IllegalArgumentException saying which option to change
   */
  public BfsPlan {
    Check.range("scale", scale, 4, MAX_SCALE);
    Check.range("edgefactor", edgeFactor, 1, 256);
    Check.range("nodes", nodes, 2, Math.min(64, 1 << scale));
    Check.range("roots", roots, 1, 1024);
    Check.that(
        system.hosts() == null,
        "clocks of several hosts are not compared: bfs runs on one, without --hosts");
    long edges = (long) edgeFactor << scale;
    Check.that(
        edges <= 1 << 30,
        "%d edges: at most 2^30 are measured; lower --scale or --edgefactor".formatted(edges));
  }

  /** The generator of the graph. */
  public Kronecker generator() {
    return new Kronecker(scale, edgeFactor, seed);
  }

  /** Which node owns which vertex. */
  public Partition partition() {
    return new Partition(scale, nodes);
  }

  /**
   * The most heap memory a node is given: what it holds are its part of the edges, once as they
   * arrive and once sorted, with a reserve for uneven parts, and some words for each vertex.
   */
  public int heapMegabytes() {
    long edgesEach = ((long) edgeFactor << scale) / nodes;
    long verticesEach = (1L << scale) / nodes;
    return (int) (96 + ((edgesEach * 2 * (8 + 4) * 3 + verticesEach * 64) >> 20));
  }
}
