// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.figure.Figure;
import io.verbena.bench.figure.Row;
import io.verbena.bench.figure.Unit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FigurePlotsTest {

  @TempDir private Path folder;

  @Test
  void throughputsAreDrawnWithWhatStandsBesideThem() throws Exception {
    Figure.Partner copies = new Figure.Partner("memcpy", List.of(2e9, 3e9));
    List<Row> rows =
        List.of(
            new Row(
                new Figure(
                    "puts", 1024, "softnic", Unit.BYTES_PER_SECOND, List.of(1e9, 2e9), copies),
                null),
            new Row(
                new Figure(
                    "puts", 65_536, "softnic", Unit.BYTES_PER_SECOND, List.of(2e9, 3e9), copies),
                null),
            new Row(
                new Figure("put, p50", 64, "softnic", Unit.NANOSECONDS, List.of(100.0), null),
                null));
    FigurePlots.write(rows, "Puts", folder, "puts");
    // Texts are outlines; each line has a dash of its own.
    assertThat(Files.readString(folder.resolve("puts.svg")))
        .contains("stroke-dasharray=\"10,4\"")
        .doesNotContain("stroke-dasharray=\"3,3\"");
    assertThat(folder.resolve("puts.png")).isNotEmptyFile();
  }

  @Test
  void nothingIsDrawnOfTimesAlone() throws Exception {
    Figure time = new Figure("put, p50", 64, "softnic", Unit.NANOSECONDS, List.of(100.0), null);
    FigurePlots.write(List.of(new Row(time, null)), "Puts", folder, "puts");
    try (var files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }
}
