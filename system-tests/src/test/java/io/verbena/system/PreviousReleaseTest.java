// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.bench.process.Command;
import io.verbena.bench.process.ParentProcess;
import io.verbena.testkit.Ports;
import io.verbena.testkit.SharedMemoryDirectory;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
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

  private static final Duration PATIENCE = Duration.ofMinutes(4);
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
    String fetch =
        "git -C '%s' archive %s %s | tar -x -C '%s'"
            .formatted(
                root,
                COMMIT,
                MODULES.stream()
                    .map(module -> module + "/src/main")
                    .collect(Collectors.joining(" ")),
                sources);
    ProcessBuilder fetching = new ProcessBuilder("sh", "-c", fetch).redirectErrorStream(true);
    String fetched = Command.run(fetching, PATIENCE).output();
    if (!Files.isDirectory(sources.resolve(MODULES.getFirst()))) {
      assumeTrue(isWhole(root), "this is no clone with its whole history: " + fetched);
      throw new IOException("cannot get the sources of " + COMMIT + ": " + fetched);
    }
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

  private static boolean isWhole(Path root) throws Exception {
    ProcessBuilder asking =
        new ProcessBuilder("git", "-C", root.toString(), "rev-parse", "--is-shallow-repository");
    return Command.run(asking, PATIENCE).output().strip().equals("false");
  }

  private static void compile(List<Path> files) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of(
              "-d",
              previous.resolve("classes").toString(),
              "-cp",
              place(NullMarked.class) + ":" + place(ParentProcess.class),
              "-proc:none");
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

  /** The folder or archive that has a class. */
  private static String place(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
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
    PreviousNode one = new PreviousNode(1, NODES, settings.apply(1).toArray(String[]::new));
    PreviousNode three = new PreviousNode(3, NODES, settings.apply(3).toArray(String[]::new));
    try (ChildNode two = start(settings.apply(PREVIOUS))) {
      two.await("ready");
      two.tell("run");
      List<CompletableFuture<String>> failures =
          List.of(begin(() -> run(one)), begin(() -> run(three)), begin(() -> awaitDone(two)));
      assertThat(failures).map(CompletableFuture::join).containsOnly("");
      two.end();
    } finally {
      one.close();
      three.close();
    }
  }

  private static CompletableFuture<String> begin(Supplier<String> run) {
    return CompletableFuture.supplyAsync(run, task -> Thread.ofPlatform().daemon().start(task));
  }

  private static String awaitDone(ChildNode node) {
    try {
      node.await("done");
      return "";
    } catch (Exception e) {
      return e.toString();
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

  private static ChildNode start(List<String> settings) throws URISyntaxException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                previous.resolve("classes") + ":" + place(ParentProcess.class),
                PreviousNode.class.getName(),
                Integer.toString(PREVIOUS),
                Integer.toString(NODES)));
    command.addAll(settings);
    return ChildNode.start("the node of the previous version", command);
  }
}
