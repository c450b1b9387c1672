// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.process.Tool;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Two-way SENDs without MPI, measured by {@code vbn-perf}, two new processes for each round. */
final class SendSide implements Side {

  static final String NAME = "verbs-send";

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String SECONDS = "0.05";

  private final Tool tool;
  private final String device;

  SendSide(Tool tool, String device) {
    this.tool = tool;
    this.device = device;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean isJava() {
    return false;
  }

  @Override
  public double compilerSeconds() {
    return 0;
  }

  @Override
  public boolean does(MpiPlan.Measured what) {
    return what.operation() == Operation.PING_PONG;
  }

  /** It tells no mean, and the 99th percentile instead of the 99.9th: neither is shown. */
  @Override
  public Round measure(MpiPlan.Measured what, int calls) throws InterruptedException {
    String size = Integer.toString(what.sizeBytes());
    String said =
        tool.run(
            PATIENCE,
            "send",
            "--lat",
            "--json",
            "--device",
            device,
            "--size",
            size,
            "--seconds",
            SECONDS,
            "--repeat",
            "1");
    try {
      JsonNode times = JsonMapper.shared().readTree(said).required("rtt_ns");
      double p50Ns = times.required("p50").asDouble();
      return new Round(1, p50Ns, p50Ns, Double.NaN);
    } catch (JacksonException e) {
      throw new BenchException(tool.path() + " reported no result: " + said.strip());
    }
  }

  @Override
  public void close() {}
}
