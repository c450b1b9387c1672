// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The compiler that built the native library, for small programs and libraries of tests. */
final class CCompiler {

  private static final Path HEADER_FOLDER = Path.of("..", "native", "include");

  private CCompiler() {}

  /** Compiles, as strictly as the header promises to stand. */
  static Path compile(Path source, Path output, String... options) throws Exception {
    String compiler = Optional.ofNullable(System.getenv("CC")).orElse("cc");
    List<String> command = new ArrayList<>(List.of(compiler, "-std=c11", "-Wall", "-Wextra"));
    command.addAll(List.of("-Wpedantic", "-Werror", "-I", HEADER_FOLDER.toString()));
    command.addAll(List.of(options));
    command.addAll(List.of("-o", output.toString(), source.toString()));
    outputOf(command);
    return output;
  }

  /** A library of one source text. */
  static Path library(Path folder, String source) throws Exception {
    Path file = Files.writeString(folder.resolve("library.c"), source);
    return compile(file, folder.resolve("libverbena.so"), "-shared", "-fPIC");
  }

  /** Runs a program that must succeed. */
  static String outputOf(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(command + ": " + output).isZero();
    return output;
  }
}
