// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.natives.NativeLibrary;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks in Java: alone, and started by verbena-run. */
@Tag("timing")
@Timeout(600)
class JobTest {

  private static final Path RUN =
      Path.of(System.getProperty("verbena.run", "../../native/target/build/bin/verbena-run"));

  @TempDir private Path folder;

  @BeforeEach
  void skipWithoutLibrary() {
    String why = NativeLibrary.unusableBecause();
    assumeTrue(why.isEmpty(), why);
  }

  @Test
  void programThatNobodyHasStartedIsAJobOfOneRank() {
    try (Job job = Job.open()) {
      assertThat(job.rank()).isZero();
      assertThat(job.size()).isOne();
      assertThat(job.localRank()).isZero();
      assertThat(job.localSize()).isOne();
      assertThat(job.isOversubscribed()).isFalse();
      assertThat(job.id()).startsWith("alone-");
      assertThat(job.hostAddress()).isEqualTo("127.0.0.1");
      assertThat(job.key()).isEmpty();
      job.publish("here".getBytes(UTF_8));
      job.awaitAll(Duration.ZERO);
      assertThat(job.address(0, Duration.ZERO)).isEqualTo("here".getBytes(UTF_8));
      assertThat(job.nextEnd(Duration.ZERO)).isEmpty();
    }
  }

  @Test
  void failuresSayWhatTheLibrarySays() {
    try (Job job = Job.open()) {
      assertThatThrownBy(() -> job.address(0, Duration.ZERO))
          .isInstanceOf(JobException.class)
          .hasMessageContaining("rank 0: ETIMEDOUT; it has not published one");
      assertThatThrownBy(() -> job.address(7, Duration.ZERO))
          .hasMessageContaining("the job has ranks 0 to 0");
      assertThatThrownBy(() -> job.publish(new byte[Job.MOST_BYTES + 1]))
          .hasMessageContaining("at most 496");
    }
  }

  @Test
  void closedJobIsRefused() {
    Job job = Job.open();
    job.close();
    job.close();
    assertThatThrownBy(job::rank).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void nodesOfRanksAskEachOtherAndHearOfAnEnd() throws Exception {
    assertThat(linesOfRing(List.of("-n", "3", "--go-on")))
        .contains("0 of 3 heard 1", "1 of 3 heard 2", "2 of 3 heard 0")
        .contains("heard of RankEnd[rank=2, status=3]");
  }

  @Test
  void nodesOfSeveralHostsTakeTcp() throws Exception {
    Path shell = folder.resolve("shell");
    Files.writeString(shell, "#!/bin/sh\neval \"exec $2\"\n");
    assertThat(shell.toFile().setExecutable(true)).isTrue();
    List<String> hosts = List.of("-n", "2", "--go-on", "--host", "a,b", "--rsh", shell.toString());
    List<String> tcp = List.of("--interface", "lo", "--env", "VERBENA_TRANSPORT=tcp");
    List<String> options = new ArrayList<>(hosts);
    options.addAll(tcp);
    assertThat(linesOfRing(options)).contains("0 of 2 heard 1", "1 of 2 heard 0");
  }

  private List<String> linesOfRing(List<String> options) throws Exception {
    assumeTrue(Files.isExecutable(RUN), RUN + " is not built");
    List<String> command = new ArrayList<>(List.of(RUN.toString()));
    command.addAll(options);
    command.addAll(List.of("--", java(), "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED"));
    String library = System.getProperty(NativeLibrary.PROPERTY);
    if (library != null) {
      command.add("-D" + NativeLibrary.PROPERTY + "=" + library);
    }
    command.addAll(List.of("-cp", classPath(), RingRank.class.getName()));
    Path said = folder.resolve("said");
    Process run =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    boolean ended = run.waitFor(5, TimeUnit.MINUTES);
    run.destroyForcibly();
    List<String> lines = Files.readAllLines(said);
    assertThat(ended).as("it ends: %s", lines).isTrue();
    assertThat(run.exitValue()).as("the last rank ends with 3: %s", lines).isEqualTo(3);
    return lines;
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Of this JVM, whose modules may be on a path of their own. */
  private static String classPath() {
    String modules = System.getProperty("jdk.module.path", "");
    String classes = RingRank.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    String path = System.getProperty("java.class.path") + File.pathSeparator + classes;
    return modules.isEmpty() ? path : path + File.pathSeparator + modules;
  }
}
