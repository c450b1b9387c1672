// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What nodes of a benchmark, and workers of the demo, have of the JVM that starts them. */
@Tag("timing")
class JavaCommandTest {

  @Test
  void childrenHaveOurOptionsAndTheirOwn() throws Exception {
    List<String> ours = List.of("-Xmx96m", "-Dverbena.native.library=/lib/x.so", "-Dother=1");
    Process parent =
        new ProcessBuilder(JavaCommand.ofThisJvm(Parent.class, ours))
            .redirectErrorStream(true)
            .start();
    try {
      String child = new String(parent.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(child.lines())
          .contains("-Xmx96m", "-Dverbena.native.library=/lib/x.so", "-Xss1m")
          .doesNotContain("-Dother=1")
          .endsWith(Parent.class.getName());
    } finally {
      parent.destroyForcibly();
    }
  }

  /** Says how it would start another JVM. */
  static final class Parent {
    public static void main(String[] arguments) {
      JavaCommand.ofThisJvm(Parent.class, List.of("-Xss1m")).forEach(System.out::println);
    }
  }
}
