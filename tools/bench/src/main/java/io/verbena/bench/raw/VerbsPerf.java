// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.raw;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.process.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** RDMA writes between two processes, without Java: measured by the tool {@code vbn-perf}. */
final class VerbsPerf implements Baseline {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Tool tool;
  private final String device;
  private final int sizeBytes;

  VerbsPerf(Path tool, String device, int sizeBytes) {
    this.tool = new Tool(tool);
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
  public double run(long durationNs, Histogram roundTripNs) throws InterruptedException {
    String output =
        tool.run(
            PATIENCE.plusNanos(durationNs),
            "write",
            "--json",
            "--device",
            device,
            "--size",
            Integer.toString(sizeBytes),
            "--seconds",
            String.format(Locale.ROOT, "%.3f", durationNs / 1e9),
            "--repeat",
            "1");
    try {
      JsonNode result = JsonMapper.shared().readTree(output);
      return result.required("messages_per_second").asDouble();
    } catch (JacksonException e) {
      throw new BenchException(tool.path() + " reported no result: " + output.strip());
    }
  }
}
