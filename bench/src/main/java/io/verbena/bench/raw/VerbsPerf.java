// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.raw;

import io.verbena.bench.BenchException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** RDMA writes between two processes, without Java: measured by the tool {@code vbn-perf}. */
final class VerbsPerf implements Baseline {

  private final Path tool;
  private final String device;
  private final int sizeBytes;

  VerbsPerf(Path tool, String device, int sizeBytes) {
    this.tool = tool;
    this.device = device;
    this.sizeBytes = sizeBytes;
  }

  @Override
  public String name() {
    return "vbn-perf write, " + device;
  }

  @Override
  public int sizeBytes() {
    return sizeBytes;
  }

  @Override
  public double run(long durationNs, Histogram roundTripNs)
      throws IOException, InterruptedException {
    String seconds = String.format(Locale.ROOT, "%.3f", durationNs / 1e9);
    Process process =
        new ProcessBuilder(
                tool.toString(),
                "write",
                "--json",
                "--device",
                device,
                "--size",
                Integer.toString(sizeBytes),
                "--seconds",
                seconds,
                "--repeat",
                "1")
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new BenchException(tool + " failed: " + said.strip());
    }
    JsonNode result = JsonMapper.shared().readTree(said);
    return result.get("messages_per_second").asDouble();
  }
}
