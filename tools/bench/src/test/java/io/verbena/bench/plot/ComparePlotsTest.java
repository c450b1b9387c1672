// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.compare.Outcome;
import io.verbena.bench.compare.Outcomes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparePlotsTest {

  @TempDir private Path folder;

  @Test
  void eachFigureIsDrawnAsPictureAndVectors() throws Exception {
    ComparePlots.write(Outcomes.full(), folder, "run-");
    for (String name : List.of("rate-shm", "throughput-shm", "roundtrip-shm", "percentiles-shm")) {
      assertThat(ImageIO.read(folder.resolve("run-" + name + ".png").toFile()).getWidth())
          .as(name)
          .isGreaterThan(1000);
      assertThat(Files.readString(folder.resolve("run-" + name + ".svg")))
          .as(name)
          .contains("<svg", "</svg", "stroke-dasharray=\"10,4\"", "stroke-dasharray=\"3,3\"");
    }
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(8);
    }
  }

  @Test
  void allWiresMayShareAPlot() throws Exception {
    ComparePlots.writeTogether(Outcomes.full(), folder, "run-");
    try (var files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains(
              "run-rate.png", "run-throughput.svg", "run-roundtrip.png", "run-percentiles.svg")
          .hasSize(8);
    }
  }

  @Test
  void nothingIsDrawnOfNothing() throws Exception {
    ComparePlots.write(new Outcome(), folder, "");
    try (var files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }
}
