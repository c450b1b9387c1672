// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.process.JavaCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Ctrl-C in the middle of a measurement. */
@Tag("timing")
@Timeout(900)
class InterruptionTest {

  /** Enough for a start and some rounds; on a busy machine it takes longer. */
  private static final int RUN_SECONDS = 4;

  private static final int MAX_RUN_SECONDS = 256; // on a busy machine the JVMs take long to start

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bench throughput --transport loopback --seconds 0.1 --warmup 0 --repeat 1000",
        "bench latency --transport tcp --seconds 0.1 --warmup 0 --repeat 1000",
        "bench bfs --transport loopback --scale 14 --nodes 2 --roots 1000 --seed 5"
      })
  void leavesWhatThereIsSoFar(String arguments, @TempDir Path folder) throws Exception {
    for (int seconds = RUN_SECONDS; ; seconds *= 2) {
      JsonNode results = interruptedAfter(seconds, arguments, folder);
      if (!results.isEmpty()) {
        return;
      }
      assertThat(seconds).as("seconds without a result").isLessThan(MAX_RUN_SECONDS);
    }
  }

  /** The results; empty if it was interrupted before there were any. */
  private static JsonNode interruptedAfter(int seconds, String arguments, Path folder)
      throws Exception {
    Path json = folder.resolve("result.json");
    Path out = folder.resolve("out");
    Process process = start(arguments + " --json " + json, out);
    TimeUnit.SECONDS.sleep(seconds);
    interrupt(process);

    assertThat(process.waitFor(5, TimeUnit.MINUTES))
        .as("'%s' ended within 5 min of its interrupt: %s", arguments, Files.readString(out))
        .isTrue();
    assertThat(process.exitValue()).isEqualTo(130);
    assertThat(process.descendants()).isEmpty();
    String text = Files.readString(out);
    if (text.isEmpty() && Files.notExists(json)) {
      return JsonMapper.shared().createArrayNode(); // the JVM was not up yet
    }
    assertThat(text).contains("interrupted");
    JsonNode root = JsonMapper.shared().readTree(Files.readString(json));
    assertThat(root.get("meta").get("complete").asBoolean()).isFalse();
    if (!root.get("results").isEmpty()) {
      assertThat(text).contains(root.get("meta").get("cpu").asString());
    }
    Files.delete(json);
    return root.get("results");
  }

  private static Process start(String arguments, Path out) throws Exception {
    // What was started in the background of a script hears of no interrupt, and hands that down.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(JavaCommand.ofThisJvm(Main.class, List.of()));
    command.addAll(List.of(arguments.split(" ")));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(out.toFile())
        .start();
  }

  private static void interrupt(Process process) throws Exception {
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
  }
}
