// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.bench.peers.FaultyPeer.Fault;
import io.verbena.bench.process.Command;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The peers' own judgement: one message in a million that is dropped, repeated or corrupted. */
@Tag("timing")
@Timeout(600)
class JudgementTest {

  private static final String ROUND = "send 100000000\n";

  static List<Arguments> faultsAndSizes() {
    return Arrays.stream(Fault.values())
        .flatMap(fault -> List.of(64, 100).stream().map(size -> Arguments.of(fault, size)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("faultsAndSizes")
  void everyFaultOfAMessageIsFound(Fault fault, int size) throws Exception {
    FaultyPeer peer = new FaultyPeer(fault, size);
    JsonNode received = bothEnds(peer, "throughput", size).getLast();
    long messages = received.get("expected").asLong();
    assertThat(messages).isGreaterThan(FaultyPeer.EVERY);
    assertThat(peer.faults() > 0).isEqualTo(fault != Fault.NONE);
    assertThat(received.get("lost").asLong()).isEqualTo(faults(peer, fault, Fault.DROP));
    assertThat(received.get("duplicated").asLong()).isEqualTo(faults(peer, fault, Fault.REPEAT));
    assertThat(received.get("corrupted").asLong()).isEqualTo(faults(peer, fault, Fault.CORRUPT));
    assertThat(received.get("reordered").asLong()).isZero();
  }

  @ParameterizedTest
  @MethodSource("faultsAndSizes")
  void everyFaultOfAnAnswerIsFound(Fault fault, int size) throws Exception {
    FaultyPeer peer = new FaultyPeer(fault, size);
    List<JsonNode> reports = bothEnds(peer, "latency", size);
    List<JsonNode> sent = reports.subList(1, reports.size() - 1);
    assertThat(sent.getLast().get("messages").asLong()).isGreaterThan(FaultyPeer.EVERY);
    assertThat(peer.faults() > 0).isEqualTo(fault != Fault.NONE);
    assertThat(sent.stream().mapToLong(one -> one.get("corrupted").asLong()).sum())
        .isEqualTo(peer.faults());
  }

  @Test
  void amongThePeersInCEveryFaultIsFound() throws Exception {
    assumeTrue(isThere("cc") && isThere("make"), "no C compiler, or no make, is installed here");
    Command test = run("make", "-C", Path.of("peers/c").toAbsolutePath().toString(), "check");
    assertThat(test.output()).contains("every fault was found");
    assertThat(test.status()).isZero();
  }

  private static long faults(FaultyPeer peer, Fault fault, Fault kind) {
    return fault == kind ? peer.faults() : 0;
  }

  /** What the sender has reported, and what then the receiver has. */
  private static List<JsonNode> bothEnds(FaultyPeer peer, String workload, int size)
      throws Exception {
    List<JsonNode> reports = new ArrayList<>();
    Commands ofSender = new Commands(() -> peer.messages() > FaultyPeer.EVERY ? "" : ROUND);
    Commands ofReceiver =
        new Commands(
            () -> {
              if (!reports.isEmpty()) {
                return "";
              }
              reports.addAll(converse(peer, "sender", workload, size, ofSender));
              return "expect " + peer.messages() + "\n";
            });
    reports.add(converse(peer, "receiver", workload, size, ofReceiver).getLast());
    return reports;
  }

  private static List<JsonNode> converse(
      FaultyPeer peer, String role, String workload, int size, InputStream commands)
      throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PeerOptions options =
        new PeerOptions(
            new String[] {"--role=" + role, "--workload=" + workload, "--size=" + size});
    new PeerProcess(options, commands, new PrintStream(said, true)).converse(peer);
    return said.toString(StandardCharsets.UTF_8)
        .lines()
        .map(line -> JsonMapper.shared().readTree(line))
        .toList();
  }

  /** Input whose next command is made when the one before was carried out; ends with none. */
  private static final class Commands extends InputStream {
    private final Callable<String> next;
    private ByteArrayInputStream command = new ByteArrayInputStream(new byte[0]);

    Commands(Callable<String> next) {
      this.next = next;
    }

    @Override
    public int read() throws IOException {
      makeNext();
      return command.read();
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      makeNext();
      return command.read(to, offset, length);
    }

    private void makeNext() throws IOException {
      try {
        if (command.available() == 0) {
          command = new ByteArrayInputStream(next.call().getBytes(StandardCharsets.UTF_8));
        }
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
  }

  private static boolean isThere(String command) throws Exception {
    try {
      return run(command, "--version").status() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static Command run(String... words) throws Exception {
    return Command.run(new ProcessBuilder(words).redirectErrorStream(true), Duration.ofMinutes(5));
  }
}
