// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.ConfigException;
import io.verbena.bench.bfs.BfsPlan;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a breadth-first search. */
final class BfsOptions {

  @Mixin private NodeOptions nodeOptions = new NodeOptions();

  @Option(
      names = "--scale",
      paramLabel = "S",
      defaultValue = "16",
      description = "The graph has 2^S vertices.")
  private int scale;

  @Option(
      names = "--edgefactor",
      paramLabel = "E",
      defaultValue = "16",
      description = "Edges for each vertex.")
  private int edgeFactor;

  @Option(names = "--nodes", paramLabel = "N", defaultValue = "4", description = "Node processes.")
  private int nodes;

  @Option(
      names = "--roots",
      paramLabel = "R",
      defaultValue = "16",
      description = "Searches, each from another random vertex; Graph500 asks for 64.")
  private int roots;

  @Option(
      names = "--seed",
      paramLabel = "X",
      defaultValue = "1",
      description = "Another seed makes another graph and other roots.")
  private long seed;

  NodeOptions nodeOptions() {
    return nodeOptions;
  }

  @Nullable Path json() {
    return nodeOptions.json();
  }

  /**
   * The plan these options make.
   *
   * @throws IllegalArgumentException if they do not fit together
   * @throws ConfigException if a key or value of the nodes is not acceptable
   */
  BfsPlan plan() {
    return new BfsPlan(scale, edgeFactor, nodes, roots, seed, nodeOptions.system());
  }
}
