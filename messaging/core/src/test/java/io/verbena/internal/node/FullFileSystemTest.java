// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.internal.metrics.StatusFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node whose status finds no room goes on without. In a process of its own, which alone sees the
 * small file system.
 */
@Timeout(600)
class FullFileSystemTest {

  private static final String MOUNT = "mount -t tmpfs -o size=4k,mode=700 none \"$0\"";

  @TempDir private Path folder;

  /** Runs a shell's script that may mount, with {@link #folder} as {@code $0}; what it said. */
  private Process start(String script, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("unshare", "-rm", "sh", "-c", script));
    command.add(folder.toString());
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static String output(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  private void assumeMounting() throws InterruptedException {
    String why;
    try {
      Process probe = start(MOUNT, List.of());
      why = output(probe);
      assumeTrue(probe.waitFor() == 0, "this user cannot mount a file system: " + why);
    } catch (IOException e) {
      assumeTrue(false, "there is no 'unshare': " + e.getMessage());
    }
  }

  private String outputOf(Class<?> program, String prepare) throws Exception {
    assumeMounting();
    return output(
        start(
            MOUNT + " && " + prepare + " exec \"$@\"",
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                folder.toString())));
  }

  @Test
  void nodeOpensWithoutItsStatus() throws Exception {
    assertThat(outputOf(Opening.class, "head -c 4096 /dev/zero > \"$0\"/others &&"))
        .isEqualTo("node 1 is open; its files: 0");
  }

  /** The first page is there, and no second one. */
  @Test
  void textThatFindsNoMoreRoomIsRefused() throws Exception {
    assertThat(outputOf(Writing.class, "")).contains("IOException: No space left on device");
  }

  /** Opens a node whose status has little room, and counts the files that it has left there. */
  static final class Opening {

    public static void main(String[] args) throws IOException {
      NodeConfig config =
          NodeConfig.builder().id(1).transport("loopback").set("status.directory", args[0]).build();
      try (Node node = Node.open(config);
          Stream<Path> files = Files.list(Path.of(args[0]))) {
        long own = files.filter(file -> !file.endsWith("others")).count();
        System.out.printf("node %d is open; its files: %d%n", node.id(), own);
      }
    }
  }

  /** Writes a text that needs more than a page. */
  static final class Writing {

    public static void main(String[] args) throws IOException {
      try (StatusFile file = new StatusFile(Path.of(args[0]), "file")) {
        file.write("a line\n".repeat(10_000));
      }
    }
  }
}
