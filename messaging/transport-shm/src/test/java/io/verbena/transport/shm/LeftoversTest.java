// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.testkit.SharedMemoryDirectory;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What nodes have in the file system while they live, after they closed, and after they were
 * killed.
 */
@Tag("timing")
class LeftoversTest {

  /** A message. */
  public record Note(long number) {}

  private static final MessageTypes TYPES = MessageTypes.builder().add(1, Note.class).build();

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

  private static Node open(Path directory, String cluster, int id) {
    return Node.open(
        NodeConfig.builder()
            .id(id)
            .cluster(cluster)
            .transport("shm")
            .set("shm.directory", directory.toString())
            .set("connect.timeout", "3m")
            .types(TYPES)
            .peer(3 - id, "")
            .build());
  }

  private List<Path> found() throws IOException {
    try (Stream<Path> all = Files.walk(directory.path())) {
      return all.filter(path -> !path.equals(directory.path())).toList();
    }
  }

  @Test
  void everythingIsForItsOwnerOnlyAndGoneAfterTheLastClose() throws IOException {
    CompletableFuture<Long> heard = new CompletableFuture<>();
    try (Node one = open(directory.path(), "blue", 1);
        Node two = open(directory.path(), "blue", 2)) {
      two.handle(Note.class, (note, from) -> heard.complete(note.number()));
      one.send(2, new Note(5));
      assertThat(heard.join()).isEqualTo(5);
      assertThat(found())
          .extracting(path -> path.getFileName().toString())
          .contains("blue", "1.lock", "1.bell", "1.sock", "1.0.lane", "2.sock");
      for (Path path : found()) {
        assertThat(
                PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS)))
            .as(path.toString())
            .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
      }
    }
    assertThat(found()).isEmpty();
  }

  @Test
  void leftoversOfAKilledProcessAreSweptByTheNextNodeOfAnyCluster() throws Exception {
    Process process = startNodeProcess();
    assertThat(found())
        .extracting(path -> path.getFileName().toString())
        .contains("red", "1.lock", "1.bell", "1.sock");
    try (Node living = open(directory.path(), "blue", 1)) {
      assertThat(directory.path().resolve("red/1.sock")).as("while it lives").exists();
      process.destroyForcibly().onExit().join();
      assertThat(directory.path().resolve("red/1.sock")).as("nobody looked yet").exists();
      open(directory.path(), "green", 2).close();
      assertThat(directory.path().resolve("red")).doesNotExist();
      assertThat(directory.path().resolve("blue/1.sock")).as("of " + living.id()).exists();
    }
    assertThat(found()).isEmpty();
  }

  /** The kernel drops a process's lock when it closes any descriptor of the file. */
  @Test
  void nodesOfOneProcessKeepTheirLocksThoughTheySweepPastEachOther() throws Exception {
    try (Node one = open(directory.path(), "blue", 1);
        Node two = open(directory.path(), "blue", 2)) {
      Process process = startNodeProcess(); // sweeps, too
      assertThat(directory.path().resolve("blue/1.sock")).as("of " + one.id()).exists();
      assertThat(directory.path().resolve("blue/2.sock")).as("of " + two.id()).exists();
      process.destroyForcibly().onExit().join();
    }
  }

  /** Application servers load a library once for each application. */
  @Test
  void aNodeKeepsItsLockThoughAnotherClassLoadersNodesSweepPastIt() throws Exception {
    try (Node one = open(directory.path(), "blue", 1)) {
      try (URLClassLoader loader = anotherLoader()) {
        Method there =
            loader
                .loadClass(LeftoversTest.class.getName())
                .getDeclaredMethod("openAndClose", Path.class, int.class);
        there.setAccessible(true);
        there.invoke(null, directory.path(), 2);
        assertThatThrownBy(() -> there.invoke(null, directory.path(), 1))
            .rootCause()
            .hasMessageContaining("node 1 is open in this process already");
      }
      Process process = startNodeProcess(); // sweeps, too
      assertThat(directory.path().resolve("blue/1.sock")).as("of " + one.id()).exists();
      process.destroyForcibly().onExit().join();
    }
  }

  private static URLClassLoader anotherLoader() throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  private static void openAndClose(Path directory, int id) {
    open(directory, "blue", id).close();
  }

  private Process startNodeProcess() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                NodeProcess.class.getName(),
                directory.path().toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    assertThat(output.readLine()).isEqualTo("READY");
    return process;
  }

  /** A process that opens a node and is killed while it has it. */
  static final class NodeProcess {
    public static void main(String[] arguments) throws InterruptedException {
      try (Node unused = open(Path.of(arguments[0]), "red", 1)) {
        System.out.println("READY");
        Thread.sleep(Duration.ofHours(1));
      }
    }
  }
}
