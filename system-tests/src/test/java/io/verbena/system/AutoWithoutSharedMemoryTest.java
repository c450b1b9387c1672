// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.VerbenaException;
import io.verbena.testkit.Await;
import io.verbena.testkit.LogEntries;
import io.verbena.testkit.Ports;
import io.verbena.testkit.SharedMemoryDirectory;
import io.verbena.testkit.TestMessages;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where no memory can be shared {@code auto} says so and goes on; {@code shm} refuses to start. */
@Tag("timing")
class AutoWithoutSharedMemoryTest {

  private static final String NOWHERE = "/proc/verbena";

  private final LogEntries warnings = LogEntries.warnings();
  private final SharedMemoryDirectory somewhere = SharedMemoryDirectory.create();
  private final int[] ports = {0, Ports.free(), Ports.free()};

  @AfterEach
  void close() {
    warnings.close();
    somewhere.close();
  }

  private Node open(int id, String transport, String directory) {
    int other = 3 - id;
    return Node.open(
        NodeConfig.builder()
            .id(id)
            .types(TestMessages.types())
            .transport(transport)
            .listen("127.0.0.1:" + ports[id])
            .peer(other, "127.0.0.1:" + ports[other])
            .set("connect.timeout", "3m")
            .set("shm.directory", directory)
            .build());
  }

  /** Neither has memory to share, or one of the two, which then dials or is dialled. */
  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true"})
  void nodesTalkOverTcpAndAreWarned(boolean firstHasNone, boolean secondHasNone)
      throws InterruptedException {
    String shared = somewhere.path().toString();
    try (Node one = open(1, "auto", firstHasNone ? NOWHERE : shared);
        Node two = open(2, "auto", secondHasNone ? NOWHERE : shared)) {
      two.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
      assertThat(one.request(2, new Ask(5), Answer.class, Await.LONG).number()).isEqualTo(5);
      assertThat(one.connections().iterator().next().transport()).isEqualTo("tcp");
    }
    assertThat(warnings.texts()).hasSize((firstHasNone ? 1 : 0) + (secondHasNone ? 1 : 0));
    assertThat(warnings.texts())
        .allSatisfy(
            text ->
                assertThat(text)
                    .contains("auto leaves shm out and goes on with [tcp]")
                    .contains(NOWHERE + " cannot be made")
                    .contains("set shm.directory to a folder"));
  }

  /** The folder is there, but its file system is full, as in a container that carries much. */
  @Test
  void nodesTalkOverTcpAndAreWarnedWhereNoLaneFitsIntoSharedMemory() throws Exception {
    try (SmallFileSystem small = SmallFileSystem.mount(somewhere.path().resolve("small"), 64);
        Node one = open(1, "auto", small.path().toString());
        Node two = open(2, "auto", small.path().toString())) {
      two.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
      small.fill();
      assertThat(one.request(2, new Ask(5), Answer.class, Await.LONG).number()).isEqualTo(5);
      assertThat(one.connections().iterator().next().transport()).isEqualTo("tcp");
    }
    assertThat(warnings.texts())
        .isNotEmpty()
        .allSatisfy(
            text ->
                assertThat(text)
                    .contains("over shm, the next transport is tried")
                    .contains("is the file system full"));
  }

  @ParameterizedTest
  @ValueSource(strings = {NOWHERE, "/dev/null", "/dev/null/verbena"})
  void transportThatWasAskedForByNameIsNotReplaced(String directory) {
    assertThatExceptionOfType(VerbenaException.class)
        .isThrownBy(() -> open(1, "shm", directory))
        .withMessageContaining("cannot start transport shm: " + directory);
    assertThat(warnings.texts()).isEmpty();
  }

  @Test
  void folderThatOthersMayEnterIsNotUsed() throws IOException {
    Path folder = Files.createDirectory(somewhere.path().resolve("open"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    try (Node one = open(1, "auto", folder.toString())) {
      assertThat(one.id()).isEqualTo(1);
    }
    assertThat(warnings.texts())
        .singleElement()
        .asString()
        .contains("run 'chmod 700 " + folder + "'");
    assertThat(folder).isEmptyDirectory();
  }

  /** It is not the memory that is missing: going on would hide that two nodes have one id. */
  @Test
  void idThatIsTakenIsAnError() {
    String shared = somewhere.path().toString();
    try (Node one = open(1, "auto", shared)) {
      assertThatExceptionOfType(VerbenaException.class)
          .isThrownBy(() -> open(one.id(), "auto", shared))
          .withMessageContaining("is open in this process already");
    }
  }
}
