// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import io.verbena.bench.control.Line;
import io.verbena.bench.node.Membership;

/**
 * What one node is to do.
 *
 * @param membership its place in the cluster
 * @param scale of the graph
 * @param edgeFactor of the graph
 * @param seed of the graph
 */
public record BfsTask(Membership membership, int scale, int edgeFactor, long seed) {

  /** Reads what {@link #toLine} wrote. */
  public static BfsTask parse(Line line) {
    return new BfsTask(
        Membership.parse(line),
        (int) line.number("scale"),
        (int) line.number("edgefactor"),
        line.number("seed"));
  }

  /** The task as an argument of a process. */
  public Line toLine() {
    return membership
        .addTo(new Line("bfs"))
        .with("scale", scale)
        .with("edgefactor", edgeFactor)
        .with("seed", seed);
  }
}
