// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.bench.control.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** In a tree of its own with the script of this one: its one tool is built in no time. */
@Tag("timing")
@Timeout(300)
class NativeToolsTest {

  private static final String TOOL = "vbn-little";

  @TempDir private Path root;

  private final List<String> progress = new ArrayList<>();

  @BeforeEach
  void makeTree() throws IOException {
    Files.createDirectories(root.resolve("scripts"));
    Files.createDirectories(root.resolve("native"));
    write(root.resolve("scripts/native"), Files.readString(ofThisTree("scripts/native")));
    Files.writeString(
        root.resolve("native/CMakeLists.txt"),
        """
        cmake_minimum_required(VERSION 3.22)
        project(little LANGUAGES CXX)
        set(CMAKE_RUNTIME_OUTPUT_DIRECTORY bench)
        add_executable(%s EXCLUDE_FROM_ALL little.cpp)
        """
            .formatted(TOOL));
    program("#include <cstdio>\nint main() { std::puts(\"so little\"); }\n");
  }

  private void program(String source) throws IOException {
    Files.writeString(root.resolve("native/little.cpp"), source);
  }

  private static void write(Path script, String text) throws IOException {
    Files.writeString(script, text);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
  }

  private static Path ofThisTree(String name) {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve(name))) {
      folder = folder.getParent();
    }
    return folder.resolve(name);
  }

  private void assumeCompilers(NativeTools tools) throws InterruptedException {
    try {
      tools.require(TOOL, progress::add);
    } catch (BenchException e) {
      assumeTrue(!e.getMessage().contains("Install it"), e.getMessage());
      throw e;
    }
  }

  @Test
  void oneThatIsMissingIsBuiltOnceAndRuns() throws Exception {
    NativeTools tools = new NativeTools(root, Map.of());
    assertThat(tools.find(TOOL)).isNull();
    assumeCompilers(tools);
    assertThat(progress).hasSize(1);
    assertThat(progress.getFirst()).contains(TOOL, root.resolve("native/target/build").toString());
    assertThat(tools.require(TOOL, progress::add).run(Duration.ofMinutes(1))).contains("so little");
    assertThat(progress).hasSize(1);
  }

  @Test
  void whatDoesNotCompileSaysWhichCommandShowsWhy() throws Exception {
    assumeCompilers(new NativeTools(root, Map.of()));
    program("no program");
    Files.delete(root.resolve("native/target/build/bench").resolve(TOOL));
    assertThatExceptionOfType(BenchException.class)
        .isThrownBy(() -> new NativeTools(root, Map.of()).require(TOOL, progress::add))
        .withMessageContaining("scripts/native tool native/target/build " + TOOL);
  }

  @Test
  void whatIsMissingToBuildItIsNamedWithWhatInstallsIt() throws Exception {
    assertMissing("a C++ compiler", "bash", "readlink", "dirname");
    assertMissing("CMake", "bash", "readlink", "dirname", "c++");
    assertThat(progress).isEmpty();
  }

  /** With a path that has these programs alone. */
  private void assertMissing(String what, String... programs) throws IOException {
    Path bin = Files.createTempDirectory(root, "bin");
    for (String program : programs) {
      write(bin.resolve(program), "#!/bin/sh\nexec /usr/bin/" + program + " \"$@\"\n");
    }
    NativeTools tools = new NativeTools(root, Map.of("PATH", bin.toString(), "CXX", "c++"));
    assertThatExceptionOfType(BenchException.class)
        .isThrownBy(() -> tools.require(TOOL, progress::add))
        .withMessageContaining(what + " is missing")
        .withMessageContaining("apt-get install");
  }

  @Test
  void outsideOfASourceTreeNothingIsBuilt() {
    NativeTools nowhere = new NativeTools(null, Map.of());
    assertThat(nowhere.find(TOOL)).isNull();
    assertThatExceptionOfType(BenchException.class)
        .isThrownBy(() -> nowhere.require(TOOL, progress::add))
        .withMessageContaining("source tree");
  }
}
