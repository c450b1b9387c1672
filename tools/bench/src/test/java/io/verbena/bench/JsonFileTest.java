// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class JsonFileTest {

  @TempDir private Path folder;

  @Test
  void isReplacedAsAWhole() throws Exception {
    Path file = folder.resolve("result.json");
    JsonFile.write(file, "first");
    JsonFile.write(file, "second");
    assertThat(Files.readString(file)).isEqualTo("second");
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void aLinkStaysOne() throws Exception {
    Path file = Files.createFile(folder.resolve("result.json"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    JsonFile.write(link, "text");
    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(file)).isEqualTo("text");
  }

  @Test
  void aPipeStaysOneToo() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Process reader = new ProcessBuilder("cat", pipe.toString()).start();
    try {
      CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> text(reader));
      JsonFile.write(pipe, "text");
      assertThat(read.get(3, TimeUnit.MINUTES)).isEqualTo("text");
    } finally {
      reader.destroyForcibly();
    }
  }

  private static String text(Process process) {
    try (var output = process.inputReader()) {
      return String.valueOf(output.readLine());
    } catch (IOException e) {
      return e.toString();
    }
  }
}
