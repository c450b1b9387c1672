// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchTest {

  @TempDir private Path place;

  @Test
  void aFolderIsGoneWithItsContentWhenItIsClosed() throws Exception {
    Scratch scratch = Scratch.open();
    Files.createDirectories(scratch.path().resolve("a/b"));
    Files.writeString(scratch.path().resolve("a/b/c"), "c");
    scratch.close();
    assertThat(scratch.path()).doesNotExist();
  }

  @Test
  void whatARunThatWasKilledHasLeftIsSweptAndNothingElse() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    Path left = Files.createDirectories(place.resolve("verbena-peer-" + dead.pid() + "-1/deep"));
    long living = ProcessHandle.current().pid();
    Path used = Files.createDirectories(place.resolve("verbena-peer-" + living + "-2"));
    Path foreign = Files.createDirectories(place.resolve("verbena-peer-notes"));
    Path other = Files.createDirectories(place.resolve("verbena-0"));
    Scratch.sweep(place);
    assertThat(left.getParent()).doesNotExist();
    assertThat(used).exists();
    assertThat(foreign).exists();
    assertThat(other).exists();
  }
}
