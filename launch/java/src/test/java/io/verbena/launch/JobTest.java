// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.natives.NativeLibrary;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks in Java: alone, and started by verbena-run. */
@Tag("timing")
@Timeout(600)
class JobTest {

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
  void timesThatAreOverOrTooLongForCAreTakenAsTheyAreMeant() {
    try (Job job = Job.open()) {
      assertThatThrownBy(() -> job.awaitAll(Duration.ofNanos(-1)))
          .isInstanceOf(JobException.class)
          .hasMessageContaining("ETIMEDOUT");
      assertThat(job.nextEnd(Duration.ofNanos(-1))).isEmpty();
      job.publish("here".getBytes(UTF_8));
      job.awaitAll(ChronoUnit.FOREVER.getDuration());
    }
  }

  @Test
  void othersAreWaitedForAsLongAsTheJobsStartingMayTake() {
    assertThat(Addresses.patience(null)).isEqualTo(Duration.ofSeconds(60));
    assertThat(Addresses.patience("")).isEqualTo(Duration.ofSeconds(60));
    assertThat(Addresses.patience("300")).isEqualTo(Duration.ofSeconds(300));
    assertThatThrownBy(() -> Addresses.patience("soon")).hasMessageContaining("is 'soon'");
  }

  @Test
  void closedJobIsRefused() {
    Job job = Job.open();
    job.close();
    job.close();
    assertThatThrownBy(job::rank).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void nodesSpinLessWhereThereAreMoreRanksThanProcessorsUnlessTheProgramSaysHow() {
    Duration own = Duration.ofNanos(7_000);
    Duration usual = node().build().idleSpin();
    assertThat(Job.complete(node(), true).idleSpin()).isZero();
    assertThat(Job.complete(node(), false).idleSpin()).isEqualTo(usual).isPositive();
    assertThat(Job.complete(node().idleSpin(own), true).idleSpin()).isEqualTo(own);
  }

  private static NodeConfig.Builder node() {
    return NodeConfig.builder().id(0);
  }

  @Test
  void nodesOfRanksAskEachOtherAndHearOfAnEnd() throws Exception {
    assertThat(linesOfRing(List.of("-n", "3", "--go-on")))
        .contains("0 of 3 heard 1", "1 of 3 heard 2", "2 of 3 heard 0")
        .contains("heard of RankEnd[rank=2, status=3]");
  }

  @Test
  void nodesOfSeveralHostsTakeTcp() throws Exception {
    String shell = LaunchedRanks.localShell(folder);
    List<String> hosts = List.of("-n", "2", "--go-on", "--host", "a,b", "--rsh", shell);
    List<String> tcp = List.of("--interface", "lo", "--env", "VERBENA_TRANSPORT=tcp");
    List<String> options = new ArrayList<>(hosts);
    options.addAll(tcp);
    assertThat(linesOfRing(options)).contains("0 of 2 heard 1", "1 of 2 heard 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void nodesLoseAKilledRankAtOnce(String transport) throws Exception {
    List<String> lines = new ArrayList<>();
    List<String> options = List.of("-n", "3", "--go-on", "--env", "VERBENA_TRANSPORT=" + transport);
    int status = LaunchedRanks.run(folder, options, MourningRank.class, List.of(), lines);
    assertThat(lines)
        .contains("rank 0 hears: rank 2 has ended with 137")
        .contains("rank 1 hears: rank 2 has ended with 137")
        .contains("rank 0 cannot send: rank 2 has ended with 137")
        .contains("rank 1 cannot send: rank 2 has ended with 137");
    assertThat(status).as("%s", lines).isEqualTo(137);
  }

  @Test
  void nodeListensAtThePortThatItWasGiven() {
    try (Job job = Job.open();
        Node node = job.node(NodeConfig.builder().transport("tcp"))) {
      assertThat(node.address()).matches("127\\.0\\.0\\.1:[1-9]\\d+");
      assertThat(new String(job.address(0, Duration.ZERO), UTF_8))
          .isEqualTo("node " + node.address() + "\n");
    }
  }

  @Test
  void nodeThatCannotStartIsClosed() {
    try (Job job = Job.open()) {
      job.publish(new byte[1]);
      Node node = job.build(NodeConfig.builder().transport("tcp"));
      assertThatThrownBy(() -> job.start(node)).isInstanceOf(JobException.class);
      assertThat(node.isClosed()).isTrue();
    }
  }

  private List<String> linesOfRing(List<String> options) throws Exception {
    List<String> lines = new ArrayList<>();
    int status = LaunchedRanks.run(folder, options, RingRank.class, List.of(), lines);
    assertThat(status).as("the last rank ends with 3: %s", lines).isEqualTo(3);
    return lines;
  }
}
