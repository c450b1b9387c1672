// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.raw;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** RDMA writes between two processes, without Java: measured by the tool {@code vbn-perf}. */
final class VerbsPerf implements Baseline {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

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
    ProcessBuilder builder =
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
            .redirectErrorStream(true);
    Command ended = run(builder, PATIENCE.plusNanos(durationNs));
    if (ended.status() != 0) {
      throw new BenchException(tool + " failed: " + ended.output().strip());
    }
    try {
      JsonNode result = JsonMapper.shared().readTree(ended.output());
      return result.required("messages_per_second").asDouble();
    } catch (JacksonException e) {
      throw new BenchException(tool + " reported no result: " + ended.output().strip());
    }
  }

  private static Command run(ProcessBuilder builder, Duration patience)
      throws IOException, InterruptedException {
    try {
      return Command.run(builder, patience);
    } catch (TimeoutException e) {
      throw new BenchException(String.valueOf(e.getMessage()));
    }
  }
}
