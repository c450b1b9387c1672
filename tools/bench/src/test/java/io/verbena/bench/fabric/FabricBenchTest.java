// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.Progress;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.figure.FakeTool;
import io.verbena.bench.figure.Row;
import io.verbena.bench.process.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Puts from Java in truth, beside a tool that only says that it measures. */
@Tag("timing")
@Timeout(600)
class FabricBenchTest {

  private static final String PUT =
      "{\"measured\":\"put, p50\",\"size_bytes\":64,\"way\":\"softnic\",\"unit\":\"ns\",\"values\":[1e9]}";
  private static final String PUTS =
      "{\"measured\":\"puts one at a time\",\"size_bytes\":65536,\"way\":\"softnic\",\"unit\":\"B/s\",\"values\":[1]}";

  @TempDir private Path folder;

  @Test
  void putsFromJavaStandBesideThoseOfTheTool() throws Exception {
    List<Integer> counts = new ArrayList<>();
    List<Row> rows =
        FabricBench.run(
            FakeTool.in(folder, "echo '%s'; echo '%s'".formatted(PUT, PUTS)),
            "softnic",
            2,
            Progress.SILENT,
            soFar -> counts.add(soFar.size()));
    assertThat(rows.stream().map(row -> row.figure().what()))
        .containsExactly(
            "put, p50", "puts one at a time", "put, p50, Java", "puts one at a time, Java");
    assertThat(counts).containsExactly(2, 4);
    assertThat(rows).allMatch(row -> row.figure().value().min() > 0);
    assertThat(rows.get(2).figure().ratios()).hasSize(2).allMatch(ratio -> ratio < 1);
    assertThat(rows.get(3).figure().ratios()).hasSize(2).allMatch(ratio -> ratio > 1);
    assertThat(rows).extracting(Row::isReached).containsExactly(false, null, true, true);
  }

  @Test
  void aToolThatLeavesPutsOutIsNamed() throws Exception {
    Tool tool = FakeTool.in(folder, "echo '%s'".formatted(PUT));
    assertThatThrownBy(() -> FabricBench.run(tool, "softnic", 1, Progress.SILENT, soFar -> {}))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("tells nothing of 'puts one at a time'");
  }

  @Test
  void aDeviceThatIsNotThereIsNamed() throws Exception {
    Tool tool = FakeTool.in(folder, "echo '%s'; echo '%s'".formatted(PUT, PUTS));
    assertThatThrownBy(
            () -> FabricBench.run(tool, "no-such-device", 1, Progress.SILENT, soFar -> {}))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("no-such-device");
  }
}
