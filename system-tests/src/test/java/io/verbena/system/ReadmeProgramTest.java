// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.process.Command;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs that README.md and docs/kv.md print compile as printed, and do what they say. */
@Tag("timing")
class ReadmeProgramTest {

  private static final int LINES_OF_A_SHORT_PROGRAM = 30;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir Path folder;

  @Test
  void compilesWithoutAWarning() throws IOException {
    compile(Readme.program());
  }

  @Test
  void greets() throws Exception {
    compile(inAClusterOfItsOwn(Readme.program()));
    assertThat(run(Readme.mainClass())).contains("Hello, you");
  }

  @Test
  void theProgramOfTheStoreDoesWhatItsPageSays() throws Exception {
    compile(Readme.programOfTheStore());
    assertThat(run(Readme.mainClass(Readme.programOfTheStore())))
        .contains("apple is yellow", "pear is green", "plum is blue");
  }

  private String run(String mainClass) throws Exception {
    ProcessBuilder program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                folder + ":" + System.getProperty("java.class.path"),
                mainClass)
            .directory(folder.toFile())
            .redirectErrorStream(true);
    Command ended = Command.run(program, PATIENCE);
    assertThat(ended.status()).as(ended.output()).isZero();
    return ended.output();
  }

  @Test
  void isShort() throws IOException {
    assertThat(Readme.program().lines().filter(line -> !line.isBlank()).count())
        .isLessThanOrEqualTo(LINES_OF_A_SHORT_PROGRAM);
  }

  /** Somebody else on this host may be trying it out. */
  private static String inAClusterOfItsOwn(String program) {
    String cluster = "\"hello\"";
    assertThat(program).contains(cluster);
    return program.replace(cluster, "\"hello-" + ProcessHandle.current().pid() + '"');
  }

  private void compile(String program) throws IOException {
    Path source = folder.resolve(Readme.mainClass(program) + ".java");
    Files.writeString(source, program);
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    StringWriter complaints = new StringWriter();
    boolean done =
        javac
            .getTask(
                complaints,
                null,
                null,
                List.of("-Xlint:all,-path", "-Werror", "-proc:none", "-d", folder.toString()),
                null,
                javac.getStandardFileManager(null, null, null).getJavaFileObjects(source))
            .call();
    assertThat(done).as(complaints.toString()).isTrue();
  }
}
