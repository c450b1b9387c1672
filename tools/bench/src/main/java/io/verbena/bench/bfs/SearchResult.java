// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import java.util.List;

/**
 * One search.
 *
 * @param root where it began
 * @param vertices in the tree
 * @param edges within the tree's component: those counted by TEPS
 * @param seconds from all nodes' start to the last one's end
 * @param messages vertex messages between nodes
 * @param cpuSeconds of all node processes
 * @param faults what validation found; empty if the tree is right
 */
public record SearchResult(
    int root,
    int vertices,
    long edges,
    double seconds,
    long messages,
    double cpuSeconds,
    List<String> faults) {

  /** Traversed edges per second. */
  public double teps() {
    return edges / seconds;
  }

  /** Vertex messages per second. */
  public double messagesPerSecond() {
    return messages / seconds;
  }

  /** Whether the tree passed all checks. */
  public boolean isValid() {
    return faults.isEmpty();
  }
}
