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

  /**
   * How many threads of all nodes have something to do at once.
   *
   * @param threads that send in each node that does; one receives in each node that does. Of
   *     requests sent without waiting for replies these are received meanwhile, too.
   */
  public int busyThreads(int threads) {
    int busy = 0;
    for (int node : all()) {
      busy += destinationsOf(node).isEmpty() ? 0 : threads;
      busy += sourcesOf(node).isEmpty() ? 0 : 1;
      busy += workload == Workload.LOAD && !destinationsOf(node).isEmpty() ? 1 : 0;
    }
    return busy;
  }

  /** How many nodes send. */
  public int senders() {
    return (int) all().stream().filter(node -> !destinationsOf(node).isEmpty()).count();
  }

  /** The clocks of how many nodes measure: of those that ask, or else of those that receive. */
  public int clocks() {
    return workload.hasReplies()
        ? senders()
        : (int) all().stream().filter(node -> !sourcesOf(node).isEmpty()).count();
  }

  private int receiver() {
    return nodes;
  }
}
