// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Who sends to whom; node ids are 1 to {@code nodes}.
 *
 * @param workload the workload
 * @param direction of two nodes, which sends
 * @param nodes how many there are
 */
public record Topology(Workload workload, Direction direction, int nodes) {

  /** The ids of all nodes. */
  public List<Integer> all() {
    return IntStream.rangeClosed(1, nodes).boxed().toList();
  }

  /** Whether one node sends messages or requests to another. */
  public boolean sends(int from, int to) {
    boolean everyone = workload == Workload.ALLTOALL || direction == Direction.BI;
    return from != to && (everyone || to == receiver());
  }

  /** To whom a node sends. */
  public List<Integer> destinationsOf(int node) {
    return all().stream().filter(to -> sends(node, to)).toList();
  }

  /** From whom a node receives. */
  public List<Integer> sourcesOf(int node) {
    return all().stream().filter(from -> sends(from, node)).toList();
  }

  private int receiver() {
    return nodes;
  }
}
