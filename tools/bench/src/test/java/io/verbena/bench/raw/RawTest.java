// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.Machine;
import io.verbena.bench.Progress;
import io.verbena.bench.RoundTrips;
import io.verbena.bench.Spread;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("timing")
@Timeout(600)
class RawTest {

  private static final Machine MACHINE = new Machine("abc", "25", "a processor", 2, "Linux 6");

  @Test
  void everyBaselineIsMeasured() throws Exception {
    List<Integer> counts = new ArrayList<>();
    List<RawResult> results =
        Raw.run(null, "softnic", 0.02, 2, Progress.SILENT, soFar -> counts.add(soFar.size()));
    assertThat(results).allMatch(result -> result.operationsPerSecond().min() > 0);
    assertThat(results.stream().map(RawResult::name).distinct())
        .containsExactly(
            "memcpy",
            "word ping-pong over shared memory",
            "TCP socket, one way",
            "TCP socket, ping-pong",
            "TCP socket, ping-pong, spinning");
    assertThat(results)
        .allMatch(result -> result.roundTrips().size() == (result.name().contains("ping") ? 2 : 0));
    assertThat(counts).hasSize(results.size()).isSorted();
  }

  @Test
  void reportsHaveEveryFigure() {
    RawResult copy = new RawResult("memcpy", 1000, new Spread(1e6, 2e6, 3e6), List.of());
    RawResult word =
        new RawResult(
            "word",
            8,
            new Spread(1, 2, 3),
            List.of(new RoundTrips(1, 2, 3, 4, 5, 6), new RoundTrips(1, 4, 3, 4, 5, 6)));
    assertThat(RawReport.format(MACHINE, List.of(copy, word)))
        .contains("1000–2000–3000", "2.00 ns–3.00 ns–4.00 ns");
    JsonNode root =
        JsonMapper.shared().readTree(RawReport.toJson(MACHINE, "", true, List.of(copy, word)));
    JsonNode first = root.get("results").get(0);
    assertThat(first.get("system").asString()).isEqualTo("raw");
    assertThat(first.get("megabytes_per_second_max").asDouble()).isEqualTo(3000);
    assertThat(first.get("rtt_ns").isNull()).isTrue();
    assertThat(root.get("results").get(1).get("rtt_ns").get("p50_max").asDouble()).isEqualTo(4);
  }
}
