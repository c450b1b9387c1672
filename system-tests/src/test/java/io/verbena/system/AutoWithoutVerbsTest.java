// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.Node;
import io.verbena.bench.process.Command;
import io.verbena.testkit.Await;
import io.verbena.testkit.LogEntries;
import io.verbena.testkit.SharedMemoryDirectory;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.transport.rdma.Devices;
import io.verbena.transport.rdma.Wishes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where verbs cannot be used {@code auto} says why and goes on; {@code rdma} refuses to start. */
@Tag("timing")
@Timeout(600)
class AutoWithoutVerbsTest {

  private static final Path NATIVE = Path.of("..", "native").toAbsolutePath().normalize();

  @TempDir private Path folder;

  private final SharedMemoryDirectory directory = SharedMemoryDirectory.create();
  private final Topology topology = Topology.of("auto", 2, directory.path().toString());

  @AfterEach
  void close() {
    directory.close();
  }

  private static void ask(Node from, int to) throws InterruptedException {
    assertThat(from.request(to, new Ask(5), Answer.class, Await.LONG).number()).isEqualTo(5);
  }

  /** What is so on most hosts is not worth a line. */
  @Test
  void hostWithoutAVerbsDeviceIsNothingToTellOf() throws InterruptedException {
    assumeNoKernelDevice();
    try (LogEntries log = LogEntries.withDetails();
        LogEntries told = LogEntries.all()) {
      assertThat(transportBetween("auto", "auto")).isEqualTo("tcp");
      assertThat(told.texts()).isEmpty();
      assertThat(log.texts())
          .filteredOn(text -> text.contains("auto leaves rdma out"))
          .hasSize(2)
          .allMatch(text -> text.contains("there is no verbs device of the kernel ("))
          .allMatch(text -> text.contains("set rdma.device=softnic or transport=rdma"));
    }
  }

  /** Only where both name it is it better than nothing, and what they want. */
  @ParameterizedTest
  @CsvSource({
    "softnic, softnic, rdma",
    "softnic, softnic0, rdma",
    "softnic, auto, tcp",
    "auto, softnic, tcp"
  })
  void softnicIsUsedBetweenNodesThatBothNameIt(String first, String second, String transport)
      throws InterruptedException {
    assumeNoKernelDevice();
    try (LogEntries told = LogEntries.all()) {
      assertThat(transportBetween(first, second)).isEqualTo(transport);
      assertThat(told.texts()).isEmpty();
    }
  }

  @Test
  void deviceThatIsNamedAndNotThereIsWarnedOf() throws InterruptedException {
    try (LogEntries log = LogEntries.warnings()) {
      assertThat(transportBetween("auto", "pigeon0")).isEqualTo("tcp");
      assertThat(log.texts())
          .singleElement()
          .asString()
          .startsWith("node 2: auto leaves rdma out and goes on with [shm, tcp]: ")
          .contains("there is no device 'pigeon0'");
    }
  }

  private static void assumeNoKernelDevice() {
    assumeTrue(
        Devices.survey(Wishes.NONE).ports().stream()
            .allMatch(port -> port.device().provider().equals("softnic")),
        "this host has a verbs device");
  }

  /** Of two nodes that share no memory. */
  private String transportBetween(String firstDevice, String secondDevice)
      throws InterruptedException {
    try (Node one = open(1, firstDevice);
        Node two = open(2, secondDevice)) {
      two.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
      ask(one, 2);
      return one.connections().iterator().next().transport();
    }
  }

  private Node open(int id, String device) {
    String memory = folder.resolve("node-" + id).toString();
    return Node.open(
        topology.config(id).set("rdma.device", device).set("shm.directory", memory).build());
  }

  @Test
  void libraryThatCannotBeLoadedIsNamedAndDoneWithout() throws Exception {
    Path missing = folder.resolve("nowhere.so");
    try (ChildNode two = start("auto", missing);
        Node one = Node.open(topology.config(1).build())) {
      two.await("ready");
      assertPrinted(
          two,
          "WARNING: node 2: auto leaves rdma out and goes on with [shm, tcp]: "
              + missing
              + " (verbena.native.library) is not");
      ask(one, 2);
      two.end();
    }
  }

  @Test
  void deviceThatCannotBeOpenedIsWarnedOfWithWhatToDo() throws Exception {
    try (ChildNode two = start("auto", libraryWithLittleLockedMemory());
        Node one = Node.open(topology.config(1).build())) {
      two.await("ready");
      assertPrinted(
          two,
          "WARNING: node 2: auto leaves rdma out and goes on with [shm, tcp]: cannot register"
              + " 67108864 bytes on mlx5_0: ENOMEM; locked-memory limit is 65536 bytes, raise it"
              + " with 'ulimit -l 131072' (docs/tuning.md#memlock)");
      ask(one, 2);
      two.end();
    }
  }

  @Test
  void rdmaThatWasAskedForByNameIsNotReplaced() throws Exception {
    try (ChildNode two = start("rdma", libraryWithLittleLockedMemory())) {
      assertThat(two.awaitExit()).isEqualTo(1);
      assertPrinted(
          two,
          "Exception in thread \"main\" io.verbena.VerbenaException: cannot start transport rdma:"
              + " cannot register 67108864 bytes on mlx5_0: ENOMEM; locked-memory limit is 65536"
              + " bytes, raise it with 'ulimit -l 131072' (docs/tuning.md#memlock)");
    }
  }

  private static void assertPrinted(ChildNode node, String start) {
    assertThat(node.hasPrinted(start)).as(() -> "'" + start + "' from " + node).isTrue();
  }

  private ChildNode start(String transport, Path library) {
    Topology child = new Topology(transport, topology.ports(), topology.directory());
    return ChildNode.start(List.of("-Dverbena.native.library=" + library), child.task("answer", 2));
  }

  /** What a kernel's device says then: softnic locks nothing, and who is root is not limited. */
  private Path libraryWithLittleLockedMemory() throws Exception {
    Path made = folder.resolve("libverbena.so");
    Path library = NATIVE.resolve("target/build/lib/libverbena.so.1");
    ProcessBuilder compiler =
        new ProcessBuilder(
                List.of(
                    System.getenv().getOrDefault("CC", "cc"),
                    "-shared",
                    "-fPIC",
                    "-I",
                    NATIVE.resolve("include").toString(),
                    "-o",
                    made.toString(),
                    "src/test/c/little_locked_memory.c",
                    "-Wl,--no-as-needed", // though it calls nothing of it by name
                    library.toString(),
                    "-Wl,-rpath," + library.getParent()))
            .redirectErrorStream(true);
    Command compiled = Command.run(compiler, Duration.ofMinutes(5));
    assertThat(compiled.status()).as(compiled.output()).isZero();
    return made;
  }
}
