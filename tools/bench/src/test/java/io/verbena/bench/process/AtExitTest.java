// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("timing")
@Timeout(600)
class AtExitTest {

  @Test
  void childrenEndWithTheirParentAndSoDoesWhatTheyStarted() throws Exception {
    Process parent =
        new ProcessBuilder(JavaCommand.ofThisJvm(Parent.class, List.of()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(parent.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(parent.waitFor()).isZero();
    List<Long> pids = said.lines().map(Long::parseLong).toList();
    assertThat(pids).hasSize(2);
    assertThat(pids).allMatch(pid -> ProcessHandle.of(pid).map(ProcessTree::isGone).orElse(true));
  }

  /** Exits while its child runs. */
  static final class Parent {
    public static void main(String[] arguments) throws InterruptedException {
      ChildProcess child =
          ChildProcess.start("child", Child.class, List.of(), new Line("nothing to do"));
      System.out.println(child.pid());
      System.out.println(child.channel().read().number("pid"));
      System.exit(0);
    }
  }

  /** Starts a process that sleeps. */
  static final class Child {
    public static void main(String[] arguments) throws Exception {
      LineChannel parent = ParentProcess.connect();
      Process sleep =
          new ProcessBuilder("sleep", "50")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      parent.write(new Line("started").with("pid", sleep.pid()));
      sleep.waitFor();
    }
  }
}
