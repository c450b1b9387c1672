// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.Machine;
import io.verbena.bench.Progress;
import io.verbena.bench.compare.Comparison;
import io.verbena.bench.compare.Pairing;
import io.verbena.bench.compare.peer.FakePeer;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.figure.FakeTool;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Scripts in place of channels and peers: what they say is known. */
@Tag("timing")
@Timeout(600)
class ChannelBenchTest {

  private static final Machine MACHINE = new Machine("abc", "25", "a processor", 2, "Linux 6");
  private static final String BARE =
      "{\"measured\":\"round trip\",\"size_bytes\":10,\"way\":\"shared memory\",\"unit\":\"ns\",\"values\":[200],"
          + "\"beside\":\"bare words\",\"beside_values\":[100]}";
  private static final String BY_DEVICE =
      "{\"measured\":\"round trip\",\"size_bytes\":10,\"way\":\"softnic\",\"unit\":\"ns\",\"values\":[900]}";

  private static final String OVER_TCP =
      "{\"measured\":\"one way\",\"size_bytes\":65536,\"way\":\"softnic over TCP\",\"unit\":\"1/s\",\"values\":[50],"
          + "\"beside\":\"raw socket\",\"beside_values\":[100]}";

  @TempDir private Path folder;
  private Tool tool = new Tool(Path.of("/no/tool"));

  @BeforeEach
  void makeTool() throws Exception {
    tool =
        FakeTool.in(folder, "echo '%s'; echo '%s'; echo '%s'".formatted(BARE, BY_DEVICE, OVER_TCP));
  }

  @Test
  void everybodyIsMeasuredBesideTheChannelWhateverTheWire() throws Exception {
    peer("channel", "channel", "shm", 1000);
    peer("openmpi", "mpi-shm", "shm", 900);
    peer("zmq", "zmq-tcp", "tcp", 7000);
    peer("netty", "netty-tcp", "tcp", 7000);
    ChannelResult result = run(null);
    assertThat(result.outcome().isClean()).isTrue();
    assertThat(result.outcome().pairings())
        .extracting(Pairing::contestant)
        .containsExactly("channel", "mpi-shm", "zmq-tcp", "channel", "mpi-shm", "zmq-tcp");
    String text = ChannelReport.format(MACHINE, result);
    assertThat(text)
        .containsPattern("round trip +100 +1.00 µs +900 ns \\(0.90\\) +7.00 µs \\(7.0")
        .contains("to be as fast as mpi-shm: MISSED at 1 of 2: round trip, p50, 100")
        .contains("to be 5 times as fast as zmq-tcp: MISSED at 1 of 2: one way, 100")
        .contains("≤ 1.70 × bare words")
        .contains("≥ 0.60 × raw socket")
        .contains("skipped: mtcl: no checkout of it is named: --mtcl DIR");
  }

  @Test
  void jsonHasTheComparisonAndWhatIsToBeReached() throws Exception {
    peer("channel", "channel", "shm", 1000);
    peer("zmq", "zmq-tcp", "tcp", 7000);
    JsonNode root =
        JsonMapper.shared().readTree(ChannelReport.toJson(MACHINE, "verbena", true, run(null)));
    assertThat(root.get("results")).hasSize(4);
    assertThat(root.get("results").get(1).get("ratio").get("baseline").asString())
        .isEqualTo("channel");
    JsonNode figures = root.get("figures");
    assertThat(figures).hasSize(5); // beside bare words, by the device, over TCP; two beside ZeroMQ
    assertThat(figures.get(0).get("reached").asBoolean()).isFalse();
    assertThat(figures.get(1).get("reach").isNull()).isTrue();
    assertThat(figures.get(2).get("reached").asBoolean()).isFalse();
    assertThat(figures.get(3).get("ratio").get("baseline").asString()).isEqualTo("zmq-tcp");
    assertThat(figures.get(3).get("reached").asBoolean()).isTrue();
    assertThat(root.get("skipped").get(0).get("system").asString()).isEqualTo("mtcl");
  }

  @Test
  void nothingIsAskedOfZeroMqBeyondThePapersSizes() throws Exception {
    peer("channel", "channel", "shm", 1000);
    peer("zmq", "zmq-tcp", "tcp", 7000);
    assertThat(ChannelReport.format(MACHINE, run(null, 25_000))).doesNotContain("as fast as");
  }

  @Test
  void zeroMqIsMetAtEachOfThePapersSizes() {
    assertThat(ChannelBench.comparison(false, 1).sizes())
        .containsExactly(10, 100, 1_000, 10_000, 20_000, 50_000, 400_000);
  }

  @Test
  void aCheckoutOfMtclThatIsNamedIsMeasured() throws Exception {
    peer("channel", "channel", "shm", 1000);
    peer("mtcl", "mtcl-tcp", "tcp", 2000);
    ChannelResult result = run(folder.resolve("checkout"));
    assertThat(result.outcome().pairings())
        .extracting(Pairing::contestant)
        .contains("mtcl-tcp")
        .doesNotContain("zmq-tcp");
    assertThat(result.outcome().skipped()).isEmpty();
    // The device and the checkout stand in the commands.
    assertThat(Files.readString(folder.resolve("peers/mtcl/target/said")).strip())
        .isEqualTo("softnic " + folder.resolve("checkout"));
  }

  @Test
  void withoutChannelsThereIsNothingToMeasure() throws Exception {
    FakePeer.absent(folder.resolve("peers/channel"));
    rename("channel", "channel", "shm");
    peer("zmq", "zmq-tcp", "tcp", 7000);
    assertThatThrownBy(() -> run(null))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("no channels here: ")
        .hasMessageContaining("no-such-command-anywhere");
  }

  @Test
  void whatThereIsIsToldAsItComes() throws Exception {
    peer("channel", "channel", "shm", 1000);
    List<Integer> lines = new ArrayList<>();
    bench(null, 100)
        .run(
            peer -> {},
            Progress.SILENT,
            soFar -> lines.add(soFar.bare().size() + soFar.outcome().pairings().size()));
    assertThat(lines.getFirst()).isEqualTo(3);
    assertThat(lines.getLast()).isEqualTo(5); // the channel alone has rounds of its own
  }

  private ChannelResult run(@Nullable Path mtcl) throws Exception {
    return run(mtcl, 100);
  }

  private ChannelResult run(@Nullable Path mtcl, int size) throws Exception {
    return bench(mtcl, size).run(peer -> {}, Progress.SILENT, soFar -> {});
  }

  private ChannelBench bench(@Nullable Path mtcl, int size) {
    Comparison comparison =
        new Comparison(
            List.of(Workload.LATENCY, Workload.THROUGHPUT),
            List.of(size),
            0.01,
            0.1,
            2,
            Double.POSITIVE_INFINITY);
    return new ChannelBench(tool, folder.resolve("peers"), "softnic", mtcl, false, comparison);
  }

  /** A peer of one system, whose requests are answered in this time. */
  private void peer(String folderName, String system, String wire, long roundTripNs)
      throws IOException {
    String sent =
        "\"corrupted\":0,\"first_ns\":1,\"last_ns\":1001,\"timed\":1,\"rtt\":[[%d,1]]"
            .formatted(roundTripNs);
    FakePeer.answering(folder.resolve("peers").resolve(folderName), sent);
    rename(folderName, system, wire);
  }

  private void rename(String folderName, String system, String wire) throws IOException {
    Path file = folder.resolve("peers").resolve(folderName).resolve("peer.json");
    Files.writeString(
        file,
        Files.readString(file)
            .replace("fake-ipc", system)
            .replace("\"wire\": \"shm\"", "\"wire\": \"%s\"".formatted(wire))
            .replace("echo built >> target/builds", "echo {device} {mtcl} > target/said"));
  }
}
