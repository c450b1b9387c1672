// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * The graph: a ring 0 1 2 3 4 5 with a loop at 1 and edge (0, 1) twice, and apart from it 6 and 7.
 */
class TreeValidatorTest {

  private static final int NONE = TreeValidator.NONE;
  private static final long[] EDGES = {
    edge(0, 1),
    edge(1, 2),
    edge(2, 3),
    edge(4, 3),
    edge(4, 5),
    edge(5, 0),
    edge(1, 1),
    edge(1, 0),
    edge(6, 7)
  };

  private final int[] parents = {0, 0, 1, 2, 5, 0, NONE, NONE};
  private final byte[] levels = {0, 1, 2, 3, 2, 1, NONE, NONE};

  @Test
  void theRightTreePasses() {
    TreeValidator.Verdict verdict = judge();
    assertThat(verdict.faults()).isEmpty();
    assertThat(verdict.vertices()).isEqualTo(6);
    assertThat(verdict.edges()).isEqualTo(8); // the loop and the repeated one too
  }

  @Test
  void aCycleFails() {
    parents[1] = 2; // and 2's parent is 1
    assertThat(judge().faults()).anyMatch(fault -> fault.startsWith("check 1: the path"));
  }

  @Test
  void aRootWithAnotherParentFails() {
    parents[0] = 1;
    assertThat(judge().faults()).anyMatch(fault -> fault.startsWith("check 1: the root 0"));
  }

  @Test
  void aParentOutsideOfTheTreeFails() {
    parents[3] = 6;
    assertThat(judge().faults()).anyMatch(fault -> fault.startsWith("check 1"));
  }

  @Test
  void aLevelGapFails() {
    levels[3] = 4;
    assertThat(judge().faults())
        .anyMatch(
            fault -> fault.equals("check 2: vertex 3 is on level 4, its parent 2 on level 2"));
  }

  @Test
  void aTreeThatIsNotBreadthFirstFails() {
    // A path all the way round: a tree of edges of the graph, and edge (5, 0) closes it.
    System.arraycopy(new int[] {0, 0, 1, 2, 3, 4}, 0, parents, 0, 6);
    System.arraycopy(new byte[] {0, 1, 2, 3, 4, 5}, 0, levels, 0, 6);
    assertThat(judge().faults()).containsExactly("check 3: edge (5, 0) joins levels 5 and 0");
  }

  @Test
  void aMissingVertexFails() {
    parents[3] = NONE;
    levels[3] = NONE;
    assertThat(judge().faults())
        .containsExactly("check 4: of edge (2, 3) only one end is in the tree");
  }

  @Test
  void anEdgeThatIsNotInTheGraphFails() {
    parents[4] = 1; // on the right level, but not joined
    assertThat(judge().faults())
        .containsExactly("check 5: no edge joins vertex 4 and its parent 1");
  }

  @Test
  void aVertexOfAnotherComponentFails() {
    parents[6] = 0;
    levels[6] = 1;
    parents[7] = 6;
    levels[7] = 2;
    assertThat(judge().faults())
        .containsExactly("check 5: no edge joins vertex 6 and its parent 0");
  }

  private TreeValidator.Verdict judge() {
    return new TreeValidator(8, EDGES).judge(0, parents, levels);
  }

  private static long edge(int from, int to) {
    return Kronecker.pack(from, to);
  }
}
