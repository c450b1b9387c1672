// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.VerbenaException;
import io.verbena.bench.process.Command;
import java.io.File;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A JVM that denies native access, as later ones do unless told otherwise. */
@Tag("timing")
class NativeAccessDeniedTest {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Set<String> MODULES =
      Set.of(
          "io.verbena",
          "io.verbena.natives",
          "io.verbena.transport.shm",
          "io.verbena.transport.tcp",
          "io.verbena.transport.rdma");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm", "tcp", "rdma", "loopback"})
  void isSaidOnceForEachNode(String transport) throws Exception {
    List<String> options = List.of("-cp", System.getProperty("java.class.path"));
    String sentence =
        "node 1 cannot be made: the JVM denies native access to the class path; start it with"
            + " --enable-native-access=ALL-UNNAMED";
    assertThat(outcomes(options, transport)).containsExactly(sentence, sentence);
  }

  @Test
  void isSaidOfTheTransportWhoseModuleIsDenied() throws Exception {
    String sentence =
        "cannot start transport shm: the JVM denies native access to module"
            + " io.verbena.transport.shm; start it with"
            + " --enable-native-access=io.verbena.transport.shm";
    assertThat(outcomes(onTheModulePath("io.verbena"), "shm")).containsExactly(sentence, sentence);
  }

  @Test
  void isSaidOfTheNativeLibrary() throws Exception {
    List<String> options = onTheModulePath("io.verbena,io.verbena.transport.rdma");
    String sentence =
        "cannot start transport rdma: the JVM denies native access to module io.verbena.natives;"
            + " start it with --enable-native-access=io.verbena.natives";
    assertThat(outcomes(options, "rdma")).containsExactly(sentence, sentence);
  }

  /** Under auto, what cannot be used is left out. */
  @Test
  void aNodeGoesOnWithTheOthers() throws Exception {
    assertThat(outcomes(onTheModulePath("io.verbena"), "auto")).containsExactly("open", "open");
  }

  private static List<String> onTheModulePath(String enabled) {
    Map<String, String> modules = new LinkedHashMap<>();
    List<String> others = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      String name = moduleName(Path.of(entry));
      if (MODULES.contains(name)) {
        modules.put(name, entry);
      } else {
        others.add(entry);
      }
    }
    assertThat(modules.keySet()).containsExactlyInAnyOrderElementsOf(MODULES);
    return List.of(
        "--enable-native-access=" + enabled,
        "-p",
        String.join(File.pathSeparator, modules.values()),
        "--add-modules",
        "ALL-MODULE-PATH",
        "-cp",
        String.join(File.pathSeparator, others));
  }

  private static String moduleName(Path entry) {
    try {
      return ModuleFinder.of(entry).findAll().stream()
          .map(found -> found.descriptor().name())
          .findFirst()
          .orElse("");
    } catch (FindException e) {
      return ""; // a jar that cannot be a module
    }
  }

  /** What came of opening a node, and of opening it again. */
  private List<String> outcomes(List<String> options, String transport) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--illegal-native-access=deny");
    command.addAll(options);
    command.addAll(List.of(TwoNodes.class.getName(), transport, folder.toString()));
    Command ended = Command.run(new ProcessBuilder(command).redirectErrorStream(true), PATIENCE);
    assertThat(ended.status()).as(ended.output()).isZero();
    return ended
        .output()
        .lines()
        .filter(line -> line.startsWith("> "))
        .map(line -> line.substring(2))
        .toList();
  }

  /** A program that opens a node twice. */
  static final class TwoNodes {
    public static void main(String[] arguments) {
      for (int i = 0; i < 2; i++) {
        try (Node node = open(arguments[0], arguments[1])) {
          System.out.println("> " + (node.isClosed() ? "closed" : "open"));
        } catch (VerbenaException e) {
          System.out.println("> " + e.getMessage());
        }
      }
    }

    private static Node open(String transport, String folder) {
      return Node.open(
          NodeConfig.builder()
              .id(1)
              .cluster("denied")
              .transport(transport)
              .listen("127.0.0.1:0")
              .set("shm.directory", folder)
              .set("rdma.device", "softnic")
              .build());
    }
  }
}
