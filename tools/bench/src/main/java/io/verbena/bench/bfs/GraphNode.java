// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import java.util.ArrayList;
import java.util.List;

/** One node's part of the graph and of its searches. */
final class GraphNode {

  /**
   * When a step ran, by {@link System#nanoTime}, and the messages this node has sent in it.
   *
   * @param startNs when all nodes were ready
   * @param endNs when everything had arrived
   * @param messages pairs sent to other nodes
   */
  record Step(long startNs, long endNs, long messages) {}

  private final int id;
  private final Kronecker generator;
  private final Partition partition;
  private final VertexLanes lanes;
  private final SearchState search;
  private Adjacency adjacency = Adjacency.of(0, 0, List.of());

  GraphNode(int id, Kronecker generator, Partition partition, VertexLanes lanes) {
    this.id = id;
    this.generator = generator;
    this.partition = partition;
    this.lanes = lanes;
    this.search = new SearchState(partition, id);
  }

  /**
   * Kernel 1: from a part of the edge list to the neighbours of the own vertices. The part is made
   * beforehand, as the edge list is given to the kernel; both ends' owners are told of an edge.
   */
  Step construct() {
    long[] part = generatePart();
    List<EdgeHeap> heaps = new ArrayList<>();
    for (int source = 0; source <= partition.nodes(); source++) {
      heaps.add(new EdgeHeap());
    }
    lanes.sink((source, target, other) -> heaps.get(source).add(Kronecker.pack(target, other)));
    long startNs = start();
    long sentBefore = lanes.sent();
    for (long edge : part) {
      int from = Kronecker.from(edge);
      int to = Kronecker.to(edge);
      if (from != to) {
        tell(heaps.get(id), from, to);
        tell(heaps.get(id), to, from);
      }
    }
    lanes.awaitArrival();
    adjacency = Adjacency.of(partition.first(id), partition.count(id), heaps);
    lanes.sum(0);
    return new Step(startNs, System.nanoTime(), lanes.sent() - sentBefore);
  }

  private long[] generatePart() {
    long first = partition.firstEdge(id, generator.edges());
    long end = partition.firstEdge(id + 1, generator.edges());
    long[] part = new long[Math.toIntExact(end - first)];
    for (int i = 0; i < part.length; i++) {
      part[i] = generator.edge(first + i);
    }
    return part;
  }

  private void tell(EdgeHeap own, int vertex, int neighbour) {
    int owner = partition.owner(vertex);
    if (owner == id) {
      own.add(Kronecker.pack(vertex, neighbour));
    } else {
      lanes.send(owner, vertex, neighbour);
    }
  }

  /** Kernel 2: level by level, a message for each edge that leaves this node. */
  Step search(int root) {
    search.clear();
    lanes.sink(search::visit);
    if (partition.owner(root) == id) {
      search.visit(id, root, root);
    }
    search.advance();
    long startNs = start();
    long sentBefore = lanes.sent();
    long found = 1;
    while (found > 0) {
      expand();
      lanes.awaitArrival();
      found = lanes.sum(search.advance());
    }
    return new Step(startNs, System.nanoTime(), lanes.sent() - sentBefore);
  }

  private void expand() {
    for (IntList vertices : search.frontier()) {
      for (int i = 0; i < vertices.size(); i++) {
        expand(vertices.get(i));
      }
    }
  }

  private void expand(int vertex) {
    int local = vertex - partition.first(id);
    int end = adjacency.start(local + 1);
    for (int i = adjacency.start(local); i < end; i++) {
      int neighbour = adjacency.neighbour(i);
      int owner = partition.owner(neighbour);
      if (owner == id) {
        search.visit(id, neighbour, vertex);
      } else {
        lanes.send(owner, neighbour, vertex);
      }
    }
  }

  /** Waits for all nodes. */
  private long start() {
    lanes.awaitArrival();
    lanes.sum(0);
    return System.nanoTime();
  }

  /** The tree of the last search: the parents of the own vertices, in order. */
  int[] parents() {
    return search.parents();
  }

  /** The levels of the own vertices, in order. */
  byte[] levels() {
    return search.levels();
  }
}
