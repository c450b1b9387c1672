// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.VerbenaException;
import io.verbena.bench.process.Command;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JVMs and environments that leave something out: a sentence says what. */
@Tag("timing")
class OddSurroundingsTest {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @Test
  void anAddressOfIpv6IsNamedWhereTheJvmUsesIpv4Alone() throws Exception {
    assertThat(outcome("tcp", "-Djava.net.preferIPv4Stack=true", "listen", "[::1]:0", Map.of()))
        .contains("[0:0:0:0:0:0:0:1]:0 is an address of IPv6, and this JVM uses IPv4 alone");
  }

  @Test
  void aFolderIsNamedThatTheLocaleCannotExpress() throws Exception {
    String option = "-Dsun.jnu.encoding=ANSI_X3.4-1968";
    assertThat(
            outcome("shm", option, "shm.directory", "/dev/shm/\u00e4", Map.of("LC_ALL", "POSIX")))
        .contains("shm.directory cannot be '/dev/shm/")
        .contains("need a locale with UTF-8");
  }

  /** Too little for anything, and for what is shared. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void aLimitOfFilesIsNamedThatLetsNothingBeShared(int blocks) throws Exception {
    String limit = "ulimit -f " + blocks + "; exec \"$@\"";
    List<String> command = new ArrayList<>(List.of("sh", "-c", limit, "sh"));
    command.addAll(opening("shm", "-XX:-UsePerfData", "shm.directory", "/dev/shm/verbena-odd"));
    assertThat(run(command, Map.of())).contains("raise the limit with 'ulimit -f'");
  }

  /** What came of opening a node with such a setting. */
  private static String outcome(
      String transport, String option, String key, String value, Map<String, String> environment)
      throws Exception {
    return run(opening(transport, option, key, value), environment);
  }

  private static List<String> opening(String transport, String option, String key, String value) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", option));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Opening.class.getName(), transport, key, escaped(value)));
    return command;
  }

  private static String run(List<String> command, Map<String, String> environment)
      throws Exception {
    ProcessBuilder program = new ProcessBuilder(command).redirectErrorStream(true);
    program.environment().putAll(environment);
    Command ended = Command.run(program, PATIENCE);
    assertThat(ended.status()).as(ended.output()).isZero();
    return ended.output();
  }

  /** Arguments go through the locale, too. */
  private static String escaped(String text) {
    return text.chars()
        .mapToObj(c -> c < 0x80 ? String.valueOf((char) c) : "%" + Integer.toHexString(c))
        .reduce("", String::concat);
  }

  /** A program that opens a node with one setting. */
  static final class Opening {
    public static void main(String[] arguments) {
      String value = arguments[2].replace("%e4", "\u00e4");
      try (Node node =
          Node.open(
              NodeConfig.builder()
                  .id(1)
                  .cluster("odd")
                  .transport(arguments[0])
                  .set(arguments[1], value)
                  .build())) {
        System.out.println(node.isClosed() ? "closed" : "open");
      } catch (VerbenaException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
