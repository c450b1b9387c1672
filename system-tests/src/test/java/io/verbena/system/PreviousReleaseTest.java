// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.testkit.Ports;
import io.verbena.testkit.SharedMemoryDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes of this tree and one of the last commit that speaks version 1 of the protocol alone, in one
 * cluster under load. That commit is taken from the repository's history and compiled here.
 */
@Tag("timing")
@Timeout(300)
class PreviousReleaseTest {

  private static final String COMMIT = "cfa679c";
  private static final String KEY = "00112233445566778899aabbccddeeff";
  private static final int NODES = 3;
  private static final int PREVIOUS = 2;
  private static final List<String> MODULES =
      List.of("messaging/core", "messaging/transport-shm", "messaging/transport-tcp");

  @TempDir static Path previous;

  private final SharedMemoryDirectory directory = SharedMemoryDirectory.create();

  @BeforeAll
  static void compilePrevious() throws Exception {
    Path root = Path.of("").toAbsolutePath().getParent();
    Path sources = Files.createDirectories(previous.resolve("sources"));
    String fetched =
        output(
            "sh",
            "-c",
            "git -C '%s' archive %s %s | tar -x -C '%s'"
                .formatted(
                    root,
                    COMMIT,
                    MODULES.stream()
                        .map(module -> module + "/src/main")
                        .collect(Collectors.joining(" ")),
                    sources));
    assumeTrue(
        Files.isDirectory(sources.resolve(MODULES.getFirst())),
        "the repository's history does not reach back to " + COMMIT + ": " + fetched);
    List<Path> files = new ArrayList<>();
    for (String module : MODULES) {
      Path main = sources.resolve(module).resolve("src/main");
      files.addAll(javaFiles(main.resolve("java")));
      copyServices(main.resolve("resources"));
    }
    files.add(Path.of("src/test/java", PreviousNode.class.getName().replace('.', '/') + ".java"));
    compile(files);
  }

  private static List<Path> javaFiles(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".java") && !file.endsWith("module-info.java"))
          .toList();
    }
  }

  /** All transports in one list, as they share a class path. */
  private static void copyServices(Path resources) throws IOException {
    Path services = Path.of("META-INF/services/io.verbena.transport.TransportProvider");
    if (Files.exists(resources.resolve(services))) {
      Path all = previous.resolve("classes").resolve(services);
      Files.createDirectories(all.getParent());
      String former = Files.exists(all) ? Files.readString(all) : "";
      Files.writeString(all, former + Files.readString(resources.resolve(services)) + "\n");
    }
  }

  private static void compile(List<Path> files) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    String annotations =
        Stream.of(System.getProperty("java.class.path").split(":"))
            .filter(entry -> entry.contains("jspecify"))
            .collect(Collectors.joining(":"));
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of("-d", previous.resolve("classes").toString(), "-cp", annotations, "-proc:none");
      assertThat(
              compiler
                  .getTask(
                      null,
                      manager,
                      null,
                      options,
                      null,
                      manager.getJavaFileObjectsFromPaths(files))
                  .call())
          .as("the previous version compiles")
          .isTrue();
    }
  }

  private static String output(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }

  @AfterEach
  void close() {
    directory.close();
  }

  @Test
  void overTcp() throws Exception {
    List<Integer> ports = IntStream.range(0, NODES).mapToObj(i -> Ports.free()).toList();
    exchange(
        id ->
            List.of(
                "transport",
                "tcp",
                "listen",
                "127.0.0.1:" + ports.get(id - 1),
                "peers",
                peers(id, other -> "127.0.0.1:" + ports.get(other - 1))));
  }

  @Test
  void overTcpWithAKey() throws Exception {
    List<Integer> ports = IntStream.range(0, NODES).mapToObj(i -> Ports.free()).toList();
    exchange(
        id ->
            List.of(
                "transport",
                "tcp",
                "cluster.key",
                KEY,
                "listen",
                "127.0.0.1:" + ports.get(id - 1),
                "peers",
                peers(id, other -> "127.0.0.1:" + ports.get(other - 1))));
  }

  @Test
  void overSharedMemory() throws Exception {
    exchange(
        id ->
            List.of(
                "transport", "shm",
                "shm.directory", directory.path().toString(),
                "peers", peers(id, other -> "")));
  }

  private static String peers(int id, IntFunction<String> address) {
    return IntStream.rangeClosed(1, NODES)
        .filter(other -> other != id)
        .mapToObj(other -> other + "=" + address.apply(other))
        .collect(Collectors.joining(","));
  }

  private void exchange(IntFunction<List<String>> settings) throws Exception {
    Process process = start(settings.apply(PREVIOUS));
    PreviousNode one = new PreviousNode(1, NODES, settings.apply(1).toArray(String[]::new));
    PreviousNode three = new PreviousNode(3, NODES, settings.apply(3).toArray(String[]::new));
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
        OutputStream told = process.getOutputStream()) {
      awaitLine(said, "READY");
      told.write('\n');
      told.flush();
      List<CompletableFuture<String>> runs =
          List.of(
              CompletableFuture.supplyAsync(() -> run(one), Thread::startVirtualThread),
              CompletableFuture.supplyAsync(() -> run(three), Thread::startVirtualThread));
      awaitLine(said, "DONE");
      for (CompletableFuture<String> run : runs) {
        assertThat(run.get(120, TimeUnit.SECONDS)).isEmpty();
      }
    } finally {
      one.close();
      three.close();
      process.destroy();
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
  }

  private static String run(PreviousNode node) {
    try {
      String failure = node.run();
      return failure.isEmpty() ? "" : failure + " " + node.counted();
    } catch (InterruptedException | RuntimeException e) {
      return e + " " + node.counted();
    }
  }

  private static Process start(List<String> settings) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                previous.resolve("classes").toString(),
                PreviousNode.class.getName(),
                Integer.toString(PREVIOUS),
                Integer.toString(NODES)));
    command.addAll(settings);
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** Reads up to a line; another ending of the output says what went wrong. */
  private static void awaitLine(BufferedReader said, String wanted) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      lines.add(line);
      if (line.equals(wanted)) {
        return;
      }
      assertThat(line).as("output of the previous version: %s", lines).doesNotStartWith("FAILED");
    }
    throw new AssertionError("the previous version ended, its output: " + lines);
  }
}
