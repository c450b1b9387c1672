// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("timing")
@Timeout(600)
class CommandTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  @TempDir private Path folder;

  @AfterEach
  void noInterruptIsLeft() {
    Thread.interrupted();
  }

  @Test
  void statusAndOutputAreTold() throws Exception {
    assertThat(Command.run(new ProcessBuilder("sh", "-c", "echo said; exit 3"), LONG))
        .isEqualTo(new Command(3, "said\n"));
  }

  @Test
  void aCommandThatTakesTooLongIsKilledWithWhatItStarted() {
    int seconds = 1;
    Throwable failure = failureAfter(seconds);
    while (!Files.exists(folder.resolve("child"))) { // where cores are busy a start takes its time
      seconds *= 2;
      failure = failureAfter(seconds);
    }
    assertThat(failure)
        .isInstanceOf(TimeoutException.class)
        .hasMessageMatching(
            "(?s).*process \\d+\\) took longer than " + seconds + " s; its last words: starting");
    assertNobodyIsLeft();
  }

  private Throwable failureAfter(int seconds) {
    return catchThrowable(() -> Command.run(parentAndChild(), Duration.ofSeconds(seconds)));
  }

  @Test
  void anInterruptKillsItWithWhatItStarted() throws Exception {
    Thread me = Thread.currentThread();
    Thread.ofVirtual().start(() -> interruptOnceStarted(me));
    assertThatThrownBy(() -> Command.run(parentAndChild(), LONG))
        .isInstanceOf(InterruptedException.class);
    assertNobodyIsLeft();
  }

  /** It is seen while its parent lives; afterwards it is nobody's. */
  @Test
  void anOrphanThatHoldsTheOutputEndsWithThePatience() {
    String script = "sleep 50 & echo $! > child; sleep 3";
    ProcessBuilder parent = new ProcessBuilder("sh", "-c", script).directory(folder.toFile());
    assertThatThrownBy(() -> Command.run(parent, Duration.ofSeconds(8)))
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("took longer than 8 s");
    assertNobodyIsLeft();
  }

  private ProcessBuilder parentAndChild() {
    String script = "echo starting; sleep 50 & echo $! > child.next; mv child.next child; wait";
    return new ProcessBuilder("sh", "-c", script).directory(folder.toFile());
  }

  private void interruptOnceStarted(Thread thread) {
    while (!Files.exists(folder.resolve("child"))) {
      Thread.onSpinWait();
    }
    thread.interrupt();
  }

  private void assertNobodyIsLeft() {
    assertThat(child()).isEmpty();
  }

  private Optional<ProcessHandle> child() {
    try {
      long pid = Long.parseLong(Files.readString(folder.resolve("child")).strip());
      return ProcessHandle.of(pid).filter(one -> !ProcessTree.isGone(one));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
