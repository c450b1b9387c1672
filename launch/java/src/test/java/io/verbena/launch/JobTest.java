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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
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

  private static final Duration PATIENCE = Duration.ofSeconds(90);

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
  void whatIsCalledWhileItIsClosedEndsAsItWouldOrIsRefused() throws Exception {
    for (int round = 0; round < 20; round++) {
      Job job = Job.open();
      CountDownLatch called = new CountDownLatch(3);
      List<Thread> callers = new ArrayList<>();
      List<Throwable> refused = new CopyOnWriteArrayList<>();
      for (int i = 0; i < 3; i++) {
        Thread caller = new Thread(() -> callUntilItIsClosed(job, called));
        caller.setUncaughtExceptionHandler((thread, why) -> refused.add(why));
        caller.start();
        callers.add(caller);
      }
      called.await();
      job.close();
      for (Thread caller : callers) {
        caller.join();
      }
      assertThat(refused)
          .hasSize(3)
          .allSatisfy(
              why ->
                  assertThat(why)
                      .isInstanceOf(IllegalStateException.class)
                      .hasMessage("the job is closed"));
    }
  }

  private static void callUntilItIsClosed(Job job, CountDownLatch called) {
    while (true) {
      assertThat(job.nextEnd(Duration.ofMillis(1))).isEmpty();
      assertThat(job.id()).isNotEmpty();
      called.countDown();
    }
  }

  @Test
  void nodesYieldWhereThereAreMoreRanksThanProcessorsUnlessTheProgramSaysHow() {
    Duration own = Duration.ofNanos(7_000);
    NodeConfig usual = node().build();
    NodeConfig many = Job.complete(node(), true, PATIENCE);
    assertThat(many.idleLooks()).isZero();
    assertThat(many.idleSpin()).isEqualTo(Duration.ofMillis(1));
    NodeConfig few = Job.complete(node(), false, PATIENCE);
    assertThat(few.idleLooks()).isEqualTo(1000).isGreaterThan(usual.idleLooks());
    assertThat(few.idleSpin()).isEqualTo(usual.idleSpin());
    NodeConfig asked = Job.complete(node().idleSpin(own), true, PATIENCE);
    assertThat(asked.idleSpin()).isEqualTo(own);
    assertThat(asked.idleLooks()).isEqualTo(usual.idleLooks());
  }

  @Test
  void nodesWaitForConnectionsAsLongAsStartingMayTakeUnlessTheProgramSaysHow() {
    assertThat(Job.complete(node(), false, PATIENCE).connectTimeout()).isEqualTo(PATIENCE);
    assertThat(Job.complete(node(), false, Duration.ofHours(1)).connectTimeout())
        .isEqualTo(Duration.ofMinutes(10));
    Duration own = Duration.ofSeconds(7);
    NodeConfig.Builder asked = node().set("connect.timeout", "7s");
    assertThat(Job.complete(asked, false, PATIENCE).connectTimeout()).isEqualTo(own);
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
