// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.process.Command;
import io.verbena.bench.process.JavaCommand;
import io.verbena.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands as a user runs them: in processes of their own, which leave none behind. */
@Tag("timing")
@Timeout(600)
class CommandLineProcessesTest {

  /** What runs for seconds gains nothing from a compiler that takes as long. */
  private static final List<String> SHORT_LIVED =
      List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private static final Duration PATIENCE = Duration.ofMinutes(8);

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "rdma", "auto"})
  void demoCountsAsOneProcessDoes(String transport) throws Exception {
    Path text = folder.resolve("text.txt");
    Files.writeString(text, "the quick brown fox jumps over the lazy dog\n".repeat(5000));
    Command outcome = run("demo", "--transport", transport, "--seconds", "0.1", text.toString());
    assertThat(outcome.status()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .contains("Right: ")
        .contains("Nothing was lost")
        .contains("request and reply, median")
        .contains("messages of 64 bytes");
  }

  @Test
  void demoCountsAsAJobOnHosts() throws Exception {
    Path text = folder.resolve("text.txt");
    Files.writeString(text, "the quick brown fox jumps over the lazy dog\n".repeat(5000));
    Command outcome = run("demo", "--hosts", hosts(), "--seconds", "0.1", text.toString());
    assertThat(outcome.status()).as(outcome.output()).isZero();
    assertThat(outcome.output()).contains("Right: ").contains("Nothing was lost");
  }

  @ParameterizedTest
  @ValueSource(strings = {"throughput", "latency", "idle"})
  void nodesAreMeasuredAsRanksOfAJob(String workload) throws Exception {
    Command outcome =
        run(
            "bench",
            workload,
            "--hosts",
            hosts(),
            "--seconds",
            "0.2",
            "--warmup",
            "0.2",
            "--repeat",
            "2",
            "--transport",
            "tcp");
    assertThat(outcome.status()).as(outcome.output()).isZero();
    assertThat(outcome.output()).contains(workload + " ").contains("over tcp");
  }

  @Test
  void whatCannotBeMeasuredOverHostsIsRefused() throws Exception {
    Command allToAll = run("bench", "alltoall", "--hosts", hosts());
    assertThat(allToAll.status()).isEqualTo(2);
    assertThat(allToAll.output()).contains("clocks of several hosts are not compared");
    Command missing = run("bench", "throughput", "--hosts", "/no/such");
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.output()).contains("--hosts: /no/such cannot be read");
  }

  @Test
  void hostThatCannotBeReachedIsNamed() throws Exception {
    Path file = Files.writeString(folder.resolve("hosts"), "localhost\nno-such-host.invalid\n");
    Command outcome = run("bench", "throughput", "--hosts", file.toString());
    assertThat(outcome.status()).isNotZero();
    assertThat(outcome.output()).contains("host no-such-host.invalid could not be reached");
  }

  /** This one alone: others need an ssh. */
  private String hosts() throws IOException {
    return Files.writeString(folder.resolve("hosts"), "localhost slots=2\n").toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "rdma"})
  void throughputIsMeasuredBetweenProcesses(String transport) throws Exception {
    Command outcome =
        run(
            "bench",
            "throughput",
            "--transport",
            transport,
            "--messages",
            "20000",
            "--warmup",
            "0.2",
            "--repeat",
            "2",
            "--size",
            "64,4K");
    assertThat(outcome.status()).as(outcome.output()).isZero();
    String device = transport.equals("rdma") ? " \\w+" : ""; // which it is, is named
    assertThat(outcome.output())
        .containsPattern("throughput over " + transport + device)
        .contains("arrived once");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "rdma"})
  void latencyIsMeasuredBetweenProcesses(String transport) throws Exception {
    Command outcome =
        run(
            "bench",
            "latency",
            "--transport",
            transport,
            "--messages",
            "2000",
            "--warmup",
            "0.2",
            "--repeat",
            "2");
    assertThat(outcome.status()).as(outcome.output()).isZero();
    assertThat(outcome.output()).contains("latency over " + transport).contains("p99.9");
  }

  /** By the JVM's own count of what each process takes. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void connectionOfIdleNodesTakesAtMost64KiBOutsideOfTheHeap(String transport) throws Exception {
    Path json = folder.resolve("idle.json");
    Command outcome =
        run(
            "bench",
            "idle",
            "--transport",
            transport,
            "--nodes",
            "6",
            "--seconds",
            "0.2",
            "--warmup",
            "0.2",
            "--repeat",
            "1",
            "--json=" + json);
    assertThat(outcome.status()).as(outcome.output()).isZero();
    JsonNode result = JsonMapper.shared().readTree(Files.readString(json)).get("results").get(0);
    long told = result.get("connection_memory_bytes").asLong();
    assertThat(result.get("connection_native_bytes").asLong())
        .as(outcome.output())
        .isBetween(told / 2, 64L * 1024); // buffers of the JDK come and go meanwhile
    assertThat(result.get("connection_heap_bytes").isIntegralNumber()).isTrue();
  }

  @Test
  void viewsAndAllToAllRunBetweenProcesses() throws Exception {
    Command views =
        run(
            "bench",
            "throughput",
            "--transport",
            "shm",
            "--path",
            "view",
            "--messages",
            "20000",
            "--warmup",
            "0.2",
            "--repeat",
            "1");
    assertThat(views.status()).as(views.output()).isZero();
    Command all =
        run(
            "bench",
            "alltoall",
            "--nodes",
            "3",
            "--messages",
            "5000",
            "--warmup",
            "0.2",
            "--repeat",
            "1");
    assertThat(all.status()).as(all.output()).isZero();
  }

  @Test
  void killedCommandLeavesNoNodeProcessBehind() throws Exception {
    Process command = start("bench", "throughput", "--seconds", "3600", "--warmup", "0.2");
    try {
      List<ProcessHandle> nodes = awaitChildren(command.toHandle(), 2);
      command.destroyForcibly().waitFor();
      for (ProcessHandle node : nodes) {
        node.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
      assertThat(nodes).noneMatch(ProcessHandle::isAlive);
    } finally {
      command.destroyForcibly();
    }
  }

  @Test
  void interruptedCommandLeavesNoNodeProcessBehind() throws Exception {
    Process command = start("bench", "throughput", "--seconds", "3600", "--warmup", "0.2");
    try {
      List<ProcessHandle> nodes = awaitChildren(command.toHandle(), 2);
      command.destroy(); // SIGTERM ends the JVM as SIGINT does: through its shutdown hooks
      assertThat(command.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      for (ProcessHandle node : nodes) {
        node.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
    } finally {
      command.destroyForcibly();
    }
  }

  private static List<ProcessHandle> awaitChildren(ProcessHandle parent, int count)
      throws InterruptedException {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    List<ProcessHandle> children = new ArrayList<>();
    while (children.size() < count && System.nanoTime() < endNs) {
      TimeUnit.MILLISECONDS.sleep(50);
      try (Stream<ProcessHandle> found = parent.children()) {
        children = found.toList();
      }
    }
    assertThat(children).hasSize(count);
    return children;
  }

  private static Command run(String... arguments) throws Exception {
    return Command.run(builder(arguments), PATIENCE);
  }

  private static Process start(String... arguments) throws IOException {
    return builder(arguments).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
  }

  private static ProcessBuilder builder(String... arguments) {
    List<String> line = new ArrayList<>(JavaCommand.ofThisJvm(Main.class, SHORT_LIVED));
    line.addAll(List.of(arguments));
    return new ProcessBuilder(line).redirectErrorStream(true);
  }
}
