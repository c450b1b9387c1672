// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Judges search trees by the five checks of the specification, against the edge list itself and
 * nothing that the search has made of it:
 *
 * <ol>
 *   <li>the tree is one: no cycle, and every path ends at the root
 *   <li>a vertex is one level below its parent
 *   <li>the ends of every edge lie at most one level apart, or both outside
 *   <li>the tree spans the root's whole component
 *   <li>a vertex and its parent are joined by an edge
 * </ol>
 */
public final class TreeValidator {

  /** The parent, and the level, of a vertex outside of the tree. */
  public static final int NONE = -1;

  /**
   * What a tree is.
   *
   * @param vertices in it
   * @param edges of the list within its component, loops and repeated ones included
   * @param faults what is wrong, at most one for each check
   */
  public record Verdict(int vertices, long edges, List<String> faults) {}

  private static final int CHECKS = 5;
  private static final byte UNKNOWN = 0;
  private static final byte ON_PATH = 1;
  private static final byte ROOTED = 2;

  private final int vertices;
  private final long[] edges;

  /**
   * For trees of one graph.
   *
   * @param edges the edge list, {@link Kronecker#pack packed}
   */
  public TreeValidator(int vertices, long[] edges) {
    this.vertices = vertices;
    this.edges = edges;
  }

  /**
   * Judges a tree.
   *
   * @param parents by vertex; the root is its own
   * @param levels by vertex, as the search has found them
   */
  public Verdict judge(int root, int[] parents, byte[] levels) {
    String[] faults = new String[CHECKS + 1];
    checkTree(root, parents, faults);
    checkLevels(root, parents, levels, faults);
    long inside = checkEdges(parents, levels, faults);
    checkTreeEdges(root, parents, faults);
    int reached = (int) Arrays.stream(parents).filter(parent -> parent != NONE).count();
    List<String> found = new ArrayList<>();
    for (String fault : faults) {
      if (fault != null) {
        found.add(fault);
      }
    }
    return new Verdict(reached, inside, List.copyOf(found));
  }

  private void checkTree(int root, int[] parents, String[] faults) {
    if (parents[root] != root) {
      fault(faults, 1, "the root %d has parent %d", root, parents[root]);
      return;
    }
    byte[] states = new byte[vertices];
    states[root] = ROOTED;
    for (int vertex = 0; vertex < vertices; vertex++) {
      if (parents[vertex] != NONE && states[vertex] == UNKNOWN) {
        followPath(vertex, parents, states, faults);
      }
    }
  }

  private void followPath(int start, int[] parents, byte[] states, String[] faults) {
    int at = start;
    while (at != NONE && at >= 0 && at < vertices && states[at] == UNKNOWN) {
      states[at] = ON_PATH;
      at = parents[at];
    }
    if (at < 0 || at >= vertices) {
      fault(faults, 1, "the path from vertex %d ends outside of the tree, at %d", start, at);
    } else if (states[at] == ON_PATH) {
      fault(faults, 1, "the path from vertex %d runs in a circle at vertex %d", start, at);
    }
    // Judged once, rooted or not: others that lead here say nothing new.
    for (int i = start; i >= 0 && i < vertices && states[i] == ON_PATH; i = parents[i]) {
      states[i] = ROOTED;
    }
  }

  private void checkLevels(int root, int[] parents, byte[] levels, String[] faults) {
    if (levels[root] != 0) {
      fault(faults, 2, "the root %d is on level %d", root, levels[root]);
    }
    for (int vertex = 0; vertex < vertices; vertex++) {
      int parent = parents[vertex];
      boolean isInTree = parent >= 0 && parent < vertices;
      if (isInTree && vertex != root && levels[vertex] != levels[parent] + 1) {
        fault(
            faults,
            2,
            "vertex %d is on level %d, its parent %d on level %d",
            vertex,
            levels[vertex],
            parent,
            levels[parent]);
      }
    }
  }

  private long checkEdges(int[] parents, byte[] levels, String[] faults) {
    long inside = 0;
    for (long edge : edges) {
      int from = Kronecker.from(edge);
      int to = Kronecker.to(edge);
      boolean isFromInside = parents[from] != NONE;
      boolean isToInside = parents[to] != NONE;
      if (isFromInside != isToInside) {
        fault(faults, 4, "of edge (%d, %d) only one end is in the tree", from, to);
      } else if (isFromInside) {
        inside++;
        if (Math.abs(levels[from] - levels[to]) > 1) {
          fault(
              faults,
              3,
              "edge (%d, %d) joins levels %d and %d",
              from,
              to,
              levels[from],
              levels[to]);
        }
      }
    }
    return inside;
  }

  private void checkTreeEdges(int root, int[] parents, String[] faults) {
    boolean[] isJoined = new boolean[vertices];
    for (long edge : edges) {
      int from = Kronecker.from(edge);
      int to = Kronecker.to(edge);
      isJoined[from] |= parents[from] == to;
      isJoined[to] |= parents[to] == from;
    }
    for (int vertex = 0; vertex < vertices; vertex++) {
      if (vertex != root && parents[vertex] != NONE && !isJoined[vertex]) {
        fault(faults, 5, "no edge joins vertex %d and its parent %d", vertex, parents[vertex]);
      }
    }
  }

  /** Keeps the first of each check. */
  private static void fault(String[] faults, int check, String form, Object... values) {
    if (faults[check] == null) {
      faults[check] = "check " + check + ": " + form.formatted(values);
    }
  }
}
