// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.process.RankLauncher;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is measured with native tools, from end to end and as quickly as it goes. */
@Tag("timing")
@Timeout(600)
class QuickBenchesTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  @Test
  void oneSidedMemoryIsMeasuredFromCAndFromJava() throws Exception {
    assumeBuilt("vbn-fabric-perf");
    JsonNode root = run("fabric", "--pairs", "1");
    assertThat(out.toString()).contains("put, p50, Java", "memcpy", "raw socket", "≤ 150 ns");
    Set<String> ways = new TreeSet<>();
    for (JsonNode result : root.get("results")) {
      ways.add(result.get("way").asString());
      assertThat(result.get("value_min").asDouble()).as(result.toString()).isPositive();
    }
    assertThat(ways).containsExactly("softnic", "softnic over TCP");
    assertThat(folder.resolve("plots/fabric-throughput.svg")).isNotEmptyFile();
  }

  @Test
  void channelsAreMeasuredBesideBareMemoryAndWhoeverIsThere() throws Exception {
    assumeBuilt("vbn-channel-perf");
    JsonNode root = run("channel");
    assertThat(out.toString())
        .contains("bare ring", "bare words", "channel-copies", "arrived once, whole and in order")
        .contains("skipped: mtcl: no checkout of it is named");
    assertThat(root.get("figures").get(0).get("reach").get("least").asDouble()).isEqualTo(0.8);
    assertThat(root.get("results").get(0).get("system").asString()).isEqualTo("channel");
    assertThat(folder.resolve("plots/channel-roundtrip.svg")).isNotEmptyFile();
  }

  @Test
  void mpiIsMeasuredByTheDeviceAndByThePackageBesideWhoeverIsThere() throws Exception {
    assumeTrue(hasLauncher(), "verbena-run is not built");
    JsonNode root = run("mpi", "--pairs", "1", "--operation", "ping-pong", "--size", "64");
    Set<String> systems = new TreeSet<>();
    for (JsonNode result : root.get("results")) {
      systems.add(result.get("system").asString());
      assertThat(result.get("value_min").asDouble()).as(result.toString()).isPositive();
    }
    assertThat(systems).contains("device", "api");
    assertThat(out.toString()).contains("MPI over shm", "ping-pong");
    assertThat(folder.resolve("plots/mpi-throughput.svg")).isNotEmptyFile();
  }

  @Test
  void openShmemIsMeasuredWithMappedMemoryAndByTheDevice() throws Exception {
    assumeBuilt("shmem-speed");
    JsonNode root = run("shmem", "--pairs", "1");
    Set<String> systems = new TreeSet<>();
    for (JsonNode result : root.get("results")) {
      systems.add(result.get("system").asString());
      assertThat(result.get("value_min").asDouble()).as(result.toString()).isPositive();
    }
    assertThat(systems)
        .contains("verbena", "verbena, by the device", "verbena, over TCP", "socket");
    assertThat(out.toString())
        .contains("fetch-add", "barrier-all", "≥ 0.85 × copy", "≤ 1.60 × socket");
    Set<Long> copied = new TreeSet<>();
    root.get("figures").forEach(one -> copied.add(one.get("size_bytes").asLong()));
    assertThat(copied).contains(64L << 10, 1L << 20);
    assertThat(folder.resolve("plots/shmem-throughput.svg")).isNotEmptyFile();
  }

  private static boolean hasLauncher() {
    try {
      return Files.isExecutable(RankLauncher.path());
    } catch (BenchException e) {
      return false;
    }
  }

  /** Native tools are built with their tests, not where either is left out. */
  private static void assumeBuilt(String tool) {
    assumeTrue(NativeTools.here().find(tool) != null, tool + " is not built");
  }

  private JsonNode run(String bench, String... more) throws Exception {
    Path json = folder.resolve("result.json");
    List<String> arguments = new ArrayList<>(List.of("bench", bench, "--quick"));
    arguments.addAll(List.of("--json", json.toString(), "--plot", folder + "/plots"));
    arguments.addAll(List.of(more));
    int status =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments.toArray(String[]::new));
    assertThat(status).as(err.toString() + out).isZero();
    JsonNode root = JsonMapper.shared().readTree(Files.readString(json));
    assertThat(root.get("meta").get("complete").asBoolean()).isTrue();
    return root;
  }
}
