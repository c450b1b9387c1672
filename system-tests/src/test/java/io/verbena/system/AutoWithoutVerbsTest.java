// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.Node;
import io.verbena.NodeConfig;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where verbs cannot be used {@code auto} says why and goes on; {@code rdma} refuses to start. */
@Timeout(120)
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
    assertThat(from.request(to, new Ask(5), Answer.class, Duration.ofSeconds(20)).number())
        .isEqualTo(5);
  }

  /** Not even when it is named: that is for who asks for rdma. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "softnic"})
  void softnicIsNotChosenByAuto(String device) throws InterruptedException {
    assumeTrue(
        Devices.survey(Wishes.NONE).ports().stream()
            .allMatch(port -> port.device().provider().equals("softnic")),
        "this host has a verbs device");
    try (LogEntries log = LogEntries.all();
        Node one = Node.open(withDevice(1, device).set("shm.directory", folder + "/one").build());
        Node two = Node.open(withDevice(2, device).set("shm.directory", folder + "/two").build())) {
      two.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
      ask(one, 2);
      assertThat(one.connections().iterator().next().transport()).isEqualTo("tcp");
      assertThat(one.metrics().snapshot()).doesNotContainKey("rdma.connections");
      assertThat(log.texts())
          .filteredOn(text -> text.contains("auto leaves rdma out"))
          .hasSize(2)
          .allMatch(text -> text.contains("there is no verbs device of the kernel ("))
          .allMatch(text -> text.contains("softnic is used by transport=rdma alone"));
    }
  }

  private NodeConfig.Builder withDevice(int id, String device) {
    return topology.config(id).set("rdma.device", device);
  }

  @Test
  void libraryThatCannotBeLoadedIsNamedAndDoneWithout() throws Exception {
    Path missing = folder.resolve("nowhere.so");
    try (ChildNode two = start("auto", missing);
        Node one = Node.open(topology.config(1).build())) {
      two.awaitLine("INFO: auto leaves rdma out: " + missing + " (verbena.native.library) is not");
      two.awaitLine("READY");
      ask(one, 2);
      two.end();
    }
  }

  @Test
  void deviceThatCannotBeOpenedIsWarnedOfWithWhatToDo() throws Exception {
    try (ChildNode two = start("auto", libraryWithLittleLockedMemory());
        Node one = Node.open(topology.config(1).build())) {
      two.awaitLine(
          "WARNING: node 2: auto leaves rdma out and goes on with [shm, tcp]: cannot register"
              + " 67108864 bytes on mlx5_0: ENOMEM; locked-memory limit is 65536 bytes, raise it"
              + " with 'ulimit -l 131072' (docs/tuning.md#memlock)");
      two.awaitLine("READY");
      ask(one, 2);
      two.end();
    }
  }

  @Test
  void rdmaThatWasAskedForByNameIsNotReplaced() throws Exception {
    try (ChildNode two = start("rdma", libraryWithLittleLockedMemory())) {
      two.awaitLine(
          "Exception in thread \"main\" io.verbena.VerbenaException: cannot start transport rdma:"
              + " cannot register 67108864 bytes on mlx5_0: ENOMEM; locked-memory limit is 65536"
              + " bytes, raise it with 'ulimit -l 131072' (docs/tuning.md#memlock)");
      assertThat(two.awaitExit()).isEqualTo(1);
    }
  }

  private ChildNode start(String transport, Path library) {
    Topology child = new Topology(transport, topology.ports(), topology.directory());
    return ChildNode.start(
        List.of("-Dverbena.native.library=" + library), child.arguments("answer", 2));
  }

  /** What a kernel's device says then: softnic locks nothing, and who is root is not limited. */
  private Path libraryWithLittleLockedMemory() throws Exception {
    Path made = folder.resolve("libverbena.so");
    Path library = NATIVE.resolve("target/build/lib/libverbena.so.1");
    Process compiler =
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
            .redirectErrorStream(true)
            .start();
    String said = new String(compiler.getInputStream().readAllBytes());
    assertThat(compiler.waitFor()).as(said).isZero();
    return made;
  }
}
