// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KroneckerTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 11})
  void everyBitFallsIntoTheQuartersAsSpecified(int bit) {
    Kronecker generator = new Kronecker(12, 16, 7);
    double[] quarters = new double[4];
    for (long i = 0; i < generator.edges(); i++) {
      long edge = generator.drawn(i);
      int from = Kronecker.from(edge) >>> bit & 1;
      int to = Kronecker.to(edge) >>> bit & 1;
      quarters[2 * from + to] += 1.0 / generator.edges();
    }
    assertThat(quarters[0]).isCloseTo(0.57, within(0.01));
    assertThat(quarters[1]).isCloseTo(0.19, within(0.01));
    assertThat(quarters[2]).isCloseTo(0.19, within(0.01));
    assertThat(quarters[3]).isCloseTo(0.05, within(0.01));
  }

  @ParameterizedTest
  @CsvSource({"4, 1", "5, 2", "13, 3", "16, -9"})
  void labelsArePermuted(int scale, long seed) {
    Kronecker generator = new Kronecker(scale, 1, seed);
    BitSet labels = new BitSet();
    int inPlace = 0;
    for (int label = 0; label < generator.vertices(); label++) {
      labels.set((int) generator.permuted(label));
      inPlace += generator.permuted(label) == label ? 1 : 0;
    }
    assertThat(labels.cardinality()).isEqualTo(generator.vertices());
    assertThat(labels.length()).isEqualTo(generator.vertices());
    assertThat(inPlace).isLessThan(generator.vertices() / 2);
  }

  @Test
  void theSeedDecidesTheGraph() {
    Kronecker one = new Kronecker(10, 16, 1);
    Kronecker again = new Kronecker(10, 16, 1);
    Kronecker other = new Kronecker(10, 16, 2);
    int same = 0;
    for (long i = 0; i < one.edges(); i++) {
      assertThat(again.edge(i)).isEqualTo(one.edge(i));
      same += other.edge(i) == one.edge(i) ? 1 : 0;
    }
    assertThat(same).isLessThan(100);
  }

  @ParameterizedTest
  @CsvSource({"4, 2", "4, 16", "10, 3", "12, 64", "10, 7"})
  void everyVertexAndEveryEdgeHasOneOwner(int scale, int nodes) {
    Partition partition = new Partition(scale, nodes);
    int vertex = 0;
    long edge = 0;
    for (int node = 1; node <= nodes; node++) {
      assertThat(partition.first(node)).isEqualTo(vertex);
      for (int i = 0; i < partition.count(node); i++) {
        assertThat(partition.owner(vertex)).isEqualTo(node);
        vertex++;
      }
      assertThat(partition.firstEdge(node, 1001)).isGreaterThanOrEqualTo(edge);
      edge = partition.firstEdge(node, 1001);
    }
    assertThat(vertex).isEqualTo(1 << scale);
    assertThat(partition.firstEdge(1, 1001)).isZero();
    assertThat(partition.firstEdge(nodes + 1, 1001)).isEqualTo(1001);
  }
}
