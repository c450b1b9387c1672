// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.control.Conversation;
import io.verbena.bench.control.Line;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever goes wrong with a child: which it was, how long it was given, and its last words. */
@Tag("timing")
@Timeout(600)
class ChildProcessTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  private static ChildProcess shell(String script) {
    return ChildProcess.start("the shell", new ProcessBuilder("sh", "-c", script));
  }

  @Test
  void reportsAreHeardAndCommandsTold() throws Exception {
    try (ChildProcess shell =
        shell("read word; printf '@verbena heard\\tword=%s\\n' \"$word\"; read end")) {
      shell.conversation().tell(new Line("hello"));
      assertThat(shell.conversation().hear("heard", LONG).text("word")).isEqualTo("hello");
    }
  }

  @Test
  void oneThatEndsIsNamedWithStatusPatienceAndLastWords() {
    try (ChildProcess shell =
        shell("echo to standard output; echo to standard error >&2; exit 7")) {
      assertThatThrownBy(() -> shell.conversation().hear("ready", LONG))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("the shell (process " + shell.pid() + ") ended with status 7")
          .hasMessageContaining("given 300 s to report 'ready'")
          .hasMessageContaining("to standard output")
          .hasMessageContaining("to standard error");
    }
  }

  @Test
  void oneThatIsSilentIsNamedWithPatienceAndLastWords() throws InterruptedException {
    try (ChildProcess shell = shell("echo looking for my socks; echo '@verbena here'; read end")) {
      shell.conversation().hear("here", LONG);
      assertThatThrownBy(() -> shell.conversation().hear("ready", Duration.ofMillis(700)))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("the shell (process " + shell.pid() + ") did not report 'ready'")
          .hasMessageContaining("within 700 ms: it is still running")
          .hasMessageContaining("its last words: looking for my socks");
    }
  }

  @Test
  void oneThatSaysNothingAtAllIsSaidToHaveSaidNothing() {
    try (ChildProcess shell = shell("exit 0")) {
      assertThatThrownBy(() -> shell.conversation().hear("ready", LONG))
          .hasMessageContaining("ended with status 0; it said nothing");
    }
  }

  @Test
  void onlyTheLastWordsAreTold() {
    try (ChildProcess shell = shell("for i in 1 2 3 4 5 6 7 8 9 10; do echo line $i; done")) {
      assertThatThrownBy(() -> shell.conversation().hear("ready", LONG))
          .hasMessageContaining("line 3 | ")
          .hasMessageEndingWith("line 10; it was given 300 s to report 'ready'")
          .message()
          .doesNotContain("line 2 |");
    }
  }

  @Test
  void theFirstFailureIsToldAndThoseThatFollowFromIt() throws InterruptedException {
    String fails = "printf '@verbena failed\\treason=%s\\n' ";
    try (ChildProcess silent = shell("read end");
        ChildProcess failing = failed(fails + "'no memory'");
        ChildProcess another = shell(fails + "'a peer is gone'; read end")) {
      List<Conversation> all =
          List.of(silent.conversation(), failing.conversation(), another.conversation());
      assertThatThrownBy(() -> Conversation.hearAll(all, "ready", LONG))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("failed: no memory");
    }
  }

  /** One whose report is there. */
  private static ChildProcess failed(String script) throws InterruptedException {
    CountDownLatch reported = new CountDownLatch(1);
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", script + "; echo after it; read end");
    ChildProcess failed =
        ChildProcess.start(
            "the shell", builder, ChildProcess.Speech.MARKED, text -> reported.countDown());
    reported.await();
    return failed;
  }

  @Test
  void whatItWritesBesideItsReportsIsHeardByTheListenerBeforeItsExit() throws Exception {
    Queue<String> written = new ConcurrentLinkedQueue<>();
    String script = "echo one; echo '@verbena ready'; echo two >&2; echo three; exit 7";
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", script).redirectErrorStream(true);
    try (ChildProcess shell =
        ChildProcess.start("the shell", builder, ChildProcess.Speech.MARKED, written::add)) {
      assertThat(shell.awaitExit(LONG)).isEqualTo(7);
      assertThat(written).containsExactly("one", "two", "three");
      assertThat(shell.conversation().hear("ready", LONG).word()).isEqualTo("ready");
    }
  }

  @Test
  void oneThatDoesNotEndIsNamedWithPatienceAndLastWords() throws Exception {
    try (ChildProcess shell = shell("echo still here; echo '@verbena here'; read end")) {
      shell.conversation().hear("here", LONG);
      assertThatThrownBy(() -> shell.awaitExit(Duration.ofMillis(300)))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("the shell (process " + shell.pid() + ") did not end within 300 ms")
          .hasMessageContaining("its last words: still here");
    }
  }

  @Test
  void whatIsNoCommandIsNamed() {
    ProcessBuilder nothing = new ProcessBuilder("/no/such/command");
    assertThatThrownBy(() -> ChildProcess.start("the peer", nothing))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("the peer cannot be started")
        .hasMessageContaining("/no/such/command");
  }

  @Test
  void whatItStartedEndsWithIt() throws Exception {
    ChildProcess shell =
        shell("sleep 50 & printf '@verbena started\\tpid=%d\\n' $!; while :; do read x; done");
    long pid = shell.conversation().hear("started", LONG).number("pid");
    shell.close(Duration.ofMillis(100));
    assertThat(ProcessHandle.of(pid).map(ProcessTree::isGone).orElse(true)).isTrue();
  }
}
