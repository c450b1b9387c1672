// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.process.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("timing")
@Timeout(600)
class ScratchTest {

  @TempDir private Path place;

  @Test
  void aFolderIsGoneWithItsContentWhenItIsClosed() throws Exception {
    Scratch scratch = Scratch.open(place);
    Files.createDirectories(scratch.path().resolve("a/b"));
    Files.writeString(scratch.path().resolve("a/b/c"), "c");
    scratch.close();
    assertThat(place).isEmptyDirectory();
  }

  @Test
  void whatAKilledRunHasLeftIsSweptAndNothingElse() throws Exception {
    Path foreign = Files.createDirectories(place.resolve("verbena-peer-notes"));
    Path other = Files.createDirectories(place.resolve("verbena-0"));
    Process run = other("open", place);
    Path left = Path.of(said(run));
    Files.createDirectories(left.resolve("deep"));
    Scratch.sweep(place);
    assertThat(left).as("used by a process that lives").exists();
    run.destroyForcibly().waitFor();
    Scratch.sweep(place);
    assertThat(left).doesNotExist();
    try (var files = Files.list(place)) {
      assertThat(files).containsExactlyInAnyOrder(foreign, other);
    }
  }

  @Test
  void aRunThatEndsWithoutClosingLeavesNothing() throws Exception {
    Process run = other("open", place);
    assertThat(Path.of(said(run))).exists();
    run.getOutputStream().close(); // then it exits
    assertThat(run.waitFor()).isZero();
    assertThat(place).isEmptyDirectory();
  }

  @Test
  void aSweepOfItsOwnProcessDoesNotLetGoOfIt() throws Exception {
    try (Scratch scratch = Scratch.open(place);
        Scratch second = Scratch.open(place)) {
      Scratch.sweep(place);
      assertThat(said(other("sweep", place))).isEqualTo("swept");
      assertThat(scratch.path()).exists();
      assertThat(second.path()).exists();
    }
    assertThat(place).isEmptyDirectory();
  }

  @Test
  void aMarkWithoutAFolderIsSweptToo() throws Exception {
    Path mark = Files.createFile(place.resolve(Scratch.PREFIX + "7" + Scratch.MARK));
    Scratch.sweep(place);
    assertThat(mark).doesNotExist();
  }

  @Test
  void aPlaceThatCannotBeReadToItsEndIsAnIoException() {
    IOException cause = new IOException("input/output error");
    Iterable<Path> breaking =
        () -> {
          throw new DirectoryIteratorException(cause);
        };
    assertThatThrownBy(() -> Scratch.sweepAll(breaking)).isSameAs(cause);
  }

  private static Process other(String task, Path place) throws IOException {
    List<String> command = new ArrayList<>(JavaCommand.ofThisJvm(Other.class, List.of()));
    command.addAll(List.of(task, place.toString()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static String said(Process process) throws IOException {
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    return String.valueOf(output.readLine());
  }

  /** Another run on this machine; it ends with its input. */
  static final class Other {
    public static void main(String[] arguments) throws IOException {
      Path place = Path.of(arguments[1]);
      if (arguments[0].equals("open")) {
        System.out.println(Scratch.open(place).path());
        System.in.readAllBytes();
      } else {
        Scratch.sweep(place);
        System.out.println("swept");
      }
    }
  }
}
