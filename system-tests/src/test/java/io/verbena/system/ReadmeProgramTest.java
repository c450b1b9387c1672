// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program that README.md prints compiles as printed, and does what it says. */
class ReadmeProgramTest {

  private static final Path README = Path.of("..", "README.md");
  private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```$");
  private static final Pattern MAIN_CLASS = Pattern.compile("public (?:final )?class (\\w+)");
  private static final int LINES_OF_A_SHORT_PROGRAM = 30;
  private static final int PATIENCE_SECONDS = 60;

  @TempDir Path folder;

  @Test
  void compilesWithoutAWarning() throws IOException {
    compile(program());
  }

  @Test
  void greets() throws IOException, InterruptedException {
    String program = program();
    compile(program);
    Path output = folder.resolve("output");
    Process run =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                folder + ":" + System.getProperty("java.class.path"),
                nameOf(program))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(run.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("ends by itself").isTrue();
      assertThat(Files.readString(output)).contains("Hello, you");
      assertThat(run.exitValue()).isZero();
    } finally {
      run.destroyForcibly();
    }
  }

  @Test
  void isShort() throws IOException {
    assertThat(program().lines().filter(line -> !line.isBlank()).count())
        .isLessThanOrEqualTo(LINES_OF_A_SHORT_PROGRAM);
  }

  private static String program() throws IOException {
    Matcher blocks = JAVA_BLOCK.matcher(Files.readString(README));
    assertThat(blocks.find()).as("README.md has a program in a ```java block").isTrue();
    return blocks.group(1);
  }

  private static String nameOf(String program) {
    Matcher name = MAIN_CLASS.matcher(program);
    assertThat(name.find()).as("the program of README.md is a public class").isTrue();
    return name.group(1);
  }

  private void compile(String program) throws IOException {
    Path source = folder.resolve(nameOf(program) + ".java");
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
