// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.Execution;
import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.PeerUnreachableException;
import io.verbena.testkit.SharedMemoryDirectory;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that also listen on a network are found by their port, or without any. */
@Tag("timing")
class NodeNamesTest {

  /** What is sent. */
  public record Note(long number) {}

  private static final MessageTypes TYPES =
      MessageTypes.builder(MethodHandles.lookup()).add(1, Note.class).build();

  private SharedMemoryDirectory directory;

  @BeforeEach
  void makeDirectory() {
    String why = new ShmTransportProvider().unusableBecause();
    assumeTrue(why.isEmpty(), why);
    directory = SharedMemoryDirectory.create();
  }

  @AfterEach
  void deleteDirectory() {
    directory.close();
  }

  private NodeConfig.Builder config(int id, String listen) {
    return config(id, listen, "3m");
  }

  private NodeConfig.Builder config(int id, String listen, String connectTimeout) {
    NodeConfig.Builder builder =
        NodeConfig.builder()
            .id(id)
            .types(TYPES)
            .transport("shm")
            .set("shm.directory", directory.path().toString())
            .set("connect.timeout", connectTimeout);
    return listen.isEmpty() ? builder : builder.listen(listen);
  }

  private Node dialler(String address) {
    return Node.open(config(1, "").peer(2, address).build());
  }

  /** Dials what it will not find. */
  private Node vainDialler(String address) {
    return Node.open(config(1, "", "2s").peer(2, address).build());
  }

  private static CompletableFuture<Long> firstHeardBy(Node node) {
    CompletableFuture<Long> heard = new CompletableFuture<>();
    node.handle(Note.class, Execution.inline(), (note, from) -> heard.complete(note.number()));
    return heard;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "127.0.0.1:0", "127.0.0.1:7000"})
  void addressWithoutPortMeansTheOnlyNodeOfThatId(String listen) throws Exception {
    try (Node two = Node.open(config(2, listen).build());
        Node twenty = Node.open(config(20, "127.0.0.1:7001").build());
        Node one = dialler("")) {
      CompletableFuture<Long> heard = firstHeardBy(two);
      assertThat(twenty.id()).isEqualTo(20);
      one.send(2, new Note(5));
      assertThat(heard.get(3, TimeUnit.MINUTES)).isEqualTo(5);
    }
  }

  /** As of two clusters of one name. */
  @Test
  void portTellsNodesOfOneIdApart() throws Exception {
    try (Node former = Node.open(config(2, "127.0.0.1:7000").build());
        Node latter = Node.open(config(2, "127.0.0.1:7001").build());
        Node one = dialler("127.0.0.1:7001")) {
      CompletableFuture<Long> heardByFormer = firstHeardBy(former);
      CompletableFuture<Long> heard = firstHeardBy(latter);
      one.send(2, new Note(5));
      assertThat(heard.get(3, TimeUnit.MINUTES)).isEqualTo(5);
      assertThat(heardByFormer).isNotDone();
    }
  }

  @Test
  void addressWithoutPortChoosesNobodyOfTwo() {
    try (Node former = Node.open(config(2, "127.0.0.1:7000").build());
        Node latter = Node.open(config(2, "127.0.0.1:7001").build());
        Node one = vainDialler("")) {
      assertThat(former.id()).isEqualTo(latter.id());
      assertThatExceptionOfType(PeerUnreachableException.class)
          .isThrownBy(() -> one.send(2, new Note(5)))
          .withMessageContaining("no node named 2 shares memory here, but [2-7000, 2-7001]");
    }
  }

  @Test
  void portThatIsMappedElsewhereIsNotTakenForTheOneListenedOn() {
    try (Node two = Node.open(config(2, "127.0.0.1:7000").build());
        Node one = vainDialler("127.0.0.1:17000")) {
      assertThat(two.id()).isEqualTo(2);
      assertThatExceptionOfType(PeerUnreachableException.class)
          .isThrownBy(() -> one.send(2, new Note(5)))
          .withMessageContaining("but [2-7000]; if that is node 2, name it in 'peers' by the port");
    }
  }

  @Test
  void absenceIsToldWithThePlaceLookedAt() {
    try (Node one = vainDialler("")) {
      assertThatExceptionOfType(PeerUnreachableException.class)
          .isThrownBy(() -> one.send(2, new Note(5)))
          .withMessageContaining("there is no " + directory.path().resolve("default/2.sock"));
    }
  }
}
