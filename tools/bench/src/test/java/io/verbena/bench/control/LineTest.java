// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.node.NodeTask;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.SystemUnderTest;
import io.verbena.bench.plan.WaitKind;
import io.verbena.bench.plan.Workload;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LineTest {

  @Test
  void isReadAsItWasWritten() {
    Line line = new Line("word").with("text", "a=b c\nd\te\rf").with("numbers", new long[] {1, -2});
    Line read = Line.parse(line.toString());
    assertThat(read.word()).isEqualTo("word");
    assertThat(read.text("text")).isEqualTo("a=b c d e f");
    assertThat(read.numbers("numbers")).containsExactly(1, -2);
    assertThat(Line.parse(new Line("none").with("n", new long[0]).toString()).numbers("n"))
        .isEmpty();
  }

  @Test
  void namesWhatIsMissing() {
    assertThatThrownBy(() -> new Line("word").text("value")).hasMessageContaining("value");
  }

  @Test
  void carriesTheTaskOfANode() {
    BenchPlan plan =
        BenchPlan.builder(Workload.ALLTOALL)
            .nodes(3)
            .waiting(WaitKind.BLOCK)
            .system(
                SystemUnderTest.of("auto", Map.of("lane.bytes", "4M", "cluster.key", "a;b:c=d")))
            .build();
    NodeTask task = NodeTask.of(plan, 2, 64, "cluster");
    assertThat(NodeTask.parse(Line.parse(task.toLine().toString()))).isEqualTo(task);
    assertThat(task.membership().settings())
        .containsEntry("idle.spin", "0us")
        .containsEntry("lane.bytes", "4M")
        .containsEntry("cluster.key", "a;b:c=d");
  }
}
