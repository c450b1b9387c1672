// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is shown of nodes that run, in this process, and of those that are gone. */
@Tag("timing")
@Timeout(600)
class TopCommandTest {

  record Word(long number) {}

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final long NOBODY = Long.MAX_VALUE;
  private static final int NO_PID = 999_999_999; // beyond what Linux gives out

  @TempDir private Path parent;

  private Path folder() {
    return parent.resolve("nodes");
  }

  private Node open(int id, int peer) {
    Node node =
        Node.build(
            NodeConfig.builder()
                .id(id)
                .cluster("seen")
                .transport("loopback")
                .peer(peer, "")
                .set("connect.timeout", "3m")
                .set("status.directory", folder().toString())
                .types(MessageTypes.builder(MethodHandles.lookup()).add(1, Word.class).build())
                .build());
    node.handle(Word.class, (word, from) -> from.reply(word));
    return node.start();
  }

  private String run(String... options) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] arguments =
        Stream.concat(
                Stream.of("top", "--once", "--directory", folder().toString()), Stream.of(options))
            .toArray(String[]::new);
    int status =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    assertThat(status).as(err.toString()).isZero();
    return out.toString();
  }

  private JsonNode nodes() {
    return JsonMapper.builder().build().readTree(run("--json")).get("nodes");
  }

  private List<String> files() throws IOException {
    try (Stream<Path> entries = Files.list(folder())) {
      return entries.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void tellsWhatNodesDo() throws Exception {
    try (Node two = open(2, 1);
        Node one = open(1, 2)) {
      for (int i = 0; i < 1000; i++) {
        one.request(2, new Word(i), Word.class, PATIENCE);
      }
      while (nodes().get(0).get("counts").get("messages.sent").get("total").asLong() < 1000) {
        LockSupport.parkNanos(10_000_000);
      }
      JsonNode first = nodes().get(0);
      assertThat(first.get("node").asInt()).isEqualTo(1);
      assertThat(first.get("cluster").asString()).isEqualTo("seen");
      assertThat(first.get("transport").asString()).isEqualTo("loopback");
      assertThat(first.get("pid").asLong()).isEqualTo(ProcessHandle.current().pid());
      JsonNode link = first.get("connections").get(0);
      assertThat(link.get("peer").asInt()).isEqualTo(2);
      assertThat(link.get("transport").asString()).isEqualTo("loopback");
      assertThat(link.get("state").asString()).isEqualTo("CONNECTED");
      assertThat(link.get("sent_bytes").asLong()).isPositive();
      assertThat(link.get("reason").asString())
          .isEqualTo(one.connections().iterator().next().reason());
      assertThat(run()).contains("msgs out/s", "seen", "to 2", "CONNECTED", "loopback", "1 lane");
    }
    assertThat(files()).as("a closed node takes its file away").isEmpty();
  }

  @Test
  void tellsRatesAndReplyTimes() throws Exception {
    try (Node two = open(2, 1);
        Node one = open(1, 2)) {
      String sent = "messages.sent";
      JsonNode first = nodes().get(0);
      while (first.get("replies") == null
          || first.get("counts").get(sent).get("per_second").asDouble() == 0) {
        one.request(2, new Word(1), Word.class, PATIENCE);
        first = nodes().get(0);
      }
      assertThat(first.get("replies").get("sampled").asInt()).isPositive();
      long p50Ns = first.get("replies").get("p50_ns").asLong();
      assertThat(p50Ns).isPositive();
      assertThat(first.get("replies").get("p99_ns").asLong()).isGreaterThanOrEqualTo(p50Ns);
    }
  }

  @Test
  void onlyTheUserMayRead() throws IOException {
    try (Node one = open(1, 2)) {
      Path file = folder().resolve(files().getFirst());
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder())))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void nodeWritesNothingIntoAFolderThatOthersMayRead() throws IOException {
    Files.createDirectory(folder());
    Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
    try (Node one = open(1, 2)) {
      assertThat(files()).isEmpty();
    }
  }

  @Test
  void whatAProcessThatIsGoneHasLeftIsRemoved() throws IOException {
    long nowMs = System.currentTimeMillis();
    try (Node one = open(1, 2)) {
      leave("gone", NOBODY, nowMs - 3_600_000);
      leave("followed", ProcessHandle.current().pid(), nowMs - 3_600_000); // which began later
      leave("elsewhere", NOBODY - 1, nowMs + 3_600_000); // in another container, say
      Files.writeString(folder().resolve("foreign"), "not of Verbena");
      Files.write(folder().resolve("empty"), new byte[0]);
      JsonNode nodes = nodes();
      assertThat(nodes).hasSize(2);
      assertThat(nodes.get(1).get("pid").asLong()).isEqualTo(NOBODY - 1);
      assertThat(files()).contains("elsewhere", "foreign", "empty").doesNotContain("gone");
    }
  }

  @Test
  void whatWasNeverWrittenIsRemovedOnceItsProcessIsGone() throws IOException {
    Files.createDirectory(folder());
    FileTime longAgo = FileTime.fromMillis(System.currentTimeMillis() - 3_600_000);
    for (String name : List.of(NO_PID + "-1-a", ProcessHandle.current().pid() + "-1-b", "other")) {
      Files.setLastModifiedTime(Files.write(folder().resolve(name), new byte[0]), longAgo);
    }
    Files.write(folder().resolve(NO_PID + "-1-young"), new byte[0]);
    assertThat(nodes()).isEmpty();
    assertThat(files())
        .containsExactlyInAnyOrder(
            ProcessHandle.current().pid() + "-1-b", "other", NO_PID + "-1-young");
  }

  @Test
  void folderThatIsNotThereIsAWrongOption() {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    int status =
        Main.commandLine()
            .setErr(nowhere)
            .execute("top", "--once", "--directory", folder().toString());
    assertThat(status).isEqualTo(CommandLine.ExitCode.USAGE);
  }

  /** A file as docs/top.md describes it, of a process that did not remove it. */
  private void leave(String name, long pid, long writtenMs) throws IOException {
    String text =
        "node 9\ncluster left\npid "
            + pid
            + "\ntransport tcp\nstarted.ms 1\nwritten.ms "
            + writtenMs
            + "\nnews of a later version\ncount messages.sent 7 0.0\n";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer file = ByteBuffer.allocate(24 + bytes.length).order(ByteOrder.LITTLE_ENDIAN);
    file.put("VERBTOP1".getBytes(StandardCharsets.US_ASCII));
    file.putLong(8, 2).putInt(16, bytes.length).put(24, bytes);
    Files.write(folder().resolve(name), file.array());
  }

  @Test
  void noNodeIsNoFailure() throws IOException {
    Files.createDirectory(folder());
    assertThat(run()).isEqualTo("No node of this user runs on this host.\n");
    assertThat(nodes()).isEmpty();
  }

  @Test
  void nodeMayBeToldToWriteNothing() throws IOException {
    NodeConfig config =
        NodeConfig.builder()
            .id(1)
            .transport("loopback")
            .set("status", "off")
            .set("status.directory", folder().toString())
            .build();
    try (Node one = Node.open(config)) {
      assertThat(Files.exists(folder())).isFalse();
    }
  }
}
