// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("timing")
@Timeout(600)
class CompilerThreadsTest {

  @Test
  void aJvmThatRunsHasCompiledAndWhatIsNoneHasNot() throws Exception {
    try (ChildProcess jvm =
            ChildProcess.start("jvm", Busy.class, List.of("-Xcomp"), new Line("begin"));
        ChildProcess shell =
            ChildProcess.start("shell", new ProcessBuilder("sh", "-c", "read end"))) {
      jvm.conversation().hear("ready", Duration.ofMinutes(5));
      assertThat(CompilerThreads.cpuSeconds(jvm.handle())).isPositive();
      assertThat(CompilerThreads.cpuSeconds(shell.handle())).isZero();
    }
  }

  @Test
  void aProcessThatIsGoneHasNone() {
    ChildProcess shell = ChildProcess.start("shell", new ProcessBuilder("true"));
    shell.close();
    assertThat(CompilerThreads.cpuSeconds(shell.handle())).isZero();
  }

  /** Compiles everything it calls. */
  static final class Busy {
    public static void main(String[] arguments) throws InterruptedException {
      LineChannel parent = ParentProcess.connect();
      parent.write(new Line("ready"));
      while (parent.read() != LineChannel.END) {
        // there are no commands
      }
    }
  }
}
