// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.ConnectionInfo;
import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.Sender;
import io.verbena.testkit.Await;
import io.verbena.testkit.SharedMemoryDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a connection says it has mapped is what the kernel says of this process. */
@Tag("timing")
class ConnectionMemoryTest {

  /** A message, to be answered with itself. */
  public record Note(long number, byte[] ballast) {}

  private static final MessageTypes TYPES = MessageTypes.builder().add(1, Note.class).build();
  private static final Path MAPPINGS = Path.of("/proc/self/smaps");

  private SharedMemoryDirectory directory;

  @BeforeEach
  void makeDirectory() {
    String why = new ShmTransportProvider().unusableBecause();
    assumeTrue(why.isEmpty(), why);
    assumeTrue(Files.exists(MAPPINGS), "this kernel does not tell what is mapped");
    directory = SharedMemoryDirectory.create();
  }

  @AfterEach
  void deleteDirectory() {
    directory.close();
  }

  @Test
  void whatIsMappedIsWhatTheConnectionsSay() throws Exception {
    try (Node one = open(1);
        Node two = open(2)) {
      assertThat(mapped("Size:")).isEqualTo(2 * Doorbell.BYTES); // their own, for all peers
      ask(one, 2, 100);
      ask(two, 1, 100);
      awaitAgreement(one, two);
      try (Sender lane = one.sender(2)) {
        lane.send(new Note(0, new byte[10]));
        awaitAgreement(one, two);
      }
      ask(one, 2, 20_000); // too large for the ring that a lane begins in
      awaitAgreement(one, two);
      assertThat(mapped("Rss:")).isBetween(1L, mapped("Size:"));
    }
    Await.until("nothing mapped", () -> mapped("Size:") == 0);
  }

  private Node open(int id) {
    Node node =
        Node.build(
            NodeConfig.builder()
                .id(id)
                .transport("shm")
                .set("shm.directory", directory.path().toString())
                .types(TYPES)
                .peer(3 - id, "")
                .build());
    node.handle(
        Note.class,
        (note, from) -> {
          if (from.isRequest()) {
            from.reply(note);
          }
        });
    return node.start();
  }

  private static void ask(Node node, int peer, int ballastBytes) throws InterruptedException {
    node.request(peer, new Note(1, new byte[ballastBytes]), Note.class, Await.LONG);
  }

  /** Rings that were left go when they are read, and files are unmapped a moment later. */
  private void awaitAgreement(Node one, Node two) {
    Await.until(
        Await.LONG,
        () -> mapped("Size:") + " bytes are mapped, nodes say " + said(one) + " and " + said(two),
        () -> mapped("Size:") == 2 * Doorbell.BYTES + said(one) + said(two));
  }

  private static long said(Node node) {
    return node.connections().stream().mapToLong(ConnectionInfo::memoryBytes).sum();
  }

  /** What the kernel says of this process's mappings of files in the directory. */
  private long mapped(String field) {
    long sum = 0;
    boolean isOurs = false;
    try {
      for (String line : Files.readAllLines(MAPPINGS)) {
        if (line.startsWith(field) && isOurs) {
          sum += 1024 * Long.parseLong(line.replaceAll("\\D", ""));
        } else if (line.indexOf('-') > 0 && line.indexOf('-') < line.indexOf(' ')) {
          isOurs = line.contains(directory.path().toString());
        }
      }
      return sum;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
