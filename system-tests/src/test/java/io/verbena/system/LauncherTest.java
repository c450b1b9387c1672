// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code ./verbena} where tools are missing that only the native library needs. Maven is one that
 * notes what it was asked for, and fails.
 */
@Tag("timing")
@Timeout(600)
class LauncherTest {

  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> OF_THE_SYSTEM =
      List.of("bash", "dirname", "find", "ls", "mkdir", "readlink", "sed", "sort", "tail");

  @TempDir private Path folder;

  @BeforeEach
  void makeRepositoryAndTools() throws IOException {
    for (String file :
        List.of("verbena", "scripts/native", "scripts/find-jdk", "native/CMakeLists.txt")) {
      Path copy = folder.resolve(file);
      Files.createDirectories(copy.getParent());
      Files.copy(REPOSITORY.resolve(file), copy);
    }
    Files.createDirectory(bin());
    for (String name : OF_THE_SYSTEM) {
      tool(name, "exec " + installed(name) + " \"$@\"");
    }
    tool("mvn", "echo \"$@\" >" + folder + "/asked; exit 1");
    tool("c++", "exit 1");
    tool("cmake", "echo 'cmake version 3.30.1'");
    tool("ninja", "exit 1");
  }

  private static Path installed(String name) {
    return List.of("/usr/bin", "/bin").stream()
        .map(bin -> Path.of(bin, name))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow();
  }

  private Path bin() {
    return folder.resolve("bin");
  }

  private void tool(String name, String does) throws IOException {
    Path file = Files.writeString(bin().resolve(name), "#!/bin/sh\n" + does + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private String launch() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(bin().resolve("bash").toString(), folder.resolve("verbena").toString())
            .redirectErrorStream(true);
    builder.environment().put("PATH", bin().toString());
    builder.environment().put("JAVA25_HOME", System.getProperty("java.home"));
    builder.environment().remove("CXX");
    return Command.run(builder, Duration.ofMinutes(5)).output();
  }

  private String asked() throws IOException {
    return Files.readString(folder.resolve("asked"));
  }

  @ParameterizedTest
  @CsvSource({
    "c++, a C++ compiler is missing. Install it:  apt-get install g++",
    "cmake, CMake is missing. Install it:  apt-get install cmake",
    "ninja, ninja (or make) is missing. Install it:  apt-get install ninja-build"
  })
  void missingToolCostsVerbsDevicesAndIsNamedInOneLine(String tool, String line) throws Exception {
    Files.delete(bin().resolve(tool));
    assertThat(launch()).containsOnlyOnce("verbena: without verbs devices: " + line);
    assertThat(asked()).contains("-Dnative.skip");
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.21.9", "3.9.0", "2.99"})
  void olderCmakeCostsVerbsDevicesAndIsNamed(String version) throws Exception {
    tool("cmake", "echo 'cmake version " + version + "'");
    assertThat(launch())
        .contains(
            "verbena: without verbs devices: CMake "
                + version
                + " is too old, 3.22 is needed. Install it:  pip install 'cmake>=3.22'");
    assertThat(asked()).contains("-Dnative.skip");
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.22", "3.22.1", "3.100.0", "4.0.0"})
  void cmakeThatIsNewEnoughBuildsEverything(String version) throws Exception {
    tool("cmake", "echo 'cmake version " + version + "'");
    assertThat(launch()).doesNotContain("without verbs devices");
    assertThat(asked()).doesNotContain("-Dnative.skip");
  }

  @Test
  void makeWillDoForNinja() throws Exception {
    Files.delete(bin().resolve("ninja"));
    tool("make", "exit 1");
    assertThat(launch()).doesNotContain("without verbs devices");
    assertThat(asked()).doesNotContain("-Dnative.skip");
  }

  @Test
  void whatMavenHasBuiltWithChecksIsNotBuiltAgain() throws Exception {
    Path sources = Files.writeString(folder.resolve("pom.xml"), "");
    Files.createDirectories(folder.resolve("native/target/build/lib"));
    Files.createDirectories(folder.resolve("systems/mpi/target/classes"));
    Files.createDirectories(folder.resolve("tools/cli/target"));
    Path classpath = Files.writeString(folder.resolve("tools/cli/target/classpath"), "");
    FileTime built = Files.getLastModifiedTime(classpath);
    assertThat(launch()).contains("io.verbena.cli.Main"); // java does not find it
    assertThat(folder.resolve("asked")).doesNotExist();
    Files.setLastModifiedTime(sources, FileTime.fromMillis(built.toMillis() + 1000));
    launch();
    assertThat(asked()).contains("-Dfast");
  }
}
