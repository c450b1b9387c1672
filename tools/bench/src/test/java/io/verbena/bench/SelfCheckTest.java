// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.bfs.Bfs;
import io.verbena.bench.bfs.BfsPlan;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.faulty.Fault;
import io.verbena.bench.faulty.FaultyProvider;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Limit;
import io.verbena.bench.plan.MessagePath;
import io.verbena.bench.plan.SystemUnderTest;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.verify.Tally;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The benchmarks on a transport that drops, repeats, corrupts or mixes up a message: all of them
 * fail.
 */
@Tag("timing")
@Timeout(600)
class SelfCheckTest {

  /** Seldom enough that one round meets the fault once or a few times. */
  private static final int SELDOM = 997;

  private static final int NEVER = 1_000_000_000;

  @ParameterizedTest
  @CsvSource({
    "THROUGHPUT, DROP",
    "THROUGHPUT, REPEAT",
    "THROUGHPUT, CORRUPT",
    "THROUGHPUT, SWAP",
    "ALLTOALL, DROP",
    "ALLTOALL, REPEAT",
    "ALLTOALL, CORRUPT",
    "ALLTOALL, SWAP",
    "LATENCY, DROP",
    "LATENCY, REPEAT",
    "LATENCY, CORRUPT",
    "LOAD, DROP",
    "LOAD, REPEAT",
    "LOAD, CORRUPT",
    "IDLE, CORRUPT"
  })
  void everyWorkloadNotices(Workload workload, Fault fault) throws Exception {
    int every = workload == Workload.IDLE ? 2 : SELDOM;
    assertNoticed(fault, run(plan(workload, fault, every, 2)));
  }

  /** Of six messages that connect the nodes the fifth; no other fifth follows. */
  @Test
  void aFaultWhileConnectingIsNoticed() throws Exception {
    BenchPlan.Builder plan = plan(Workload.THROUGHPUT, Fault.CORRUPT, 5, 2).threads(3);
    assertThat(run(plan.limit(Limit.ofMessages(1))).corrupted()).isEqualTo(1);
  }

  /** At the requester replies arrive, and nothing else. */
  @ParameterizedTest
  @CsvSource({
    "LATENCY, DROP",
    "LATENCY, REPEAT",
    "LATENCY, CORRUPT",
    "LOAD, DROP",
    "LOAD, REPEAT",
    "LOAD, CORRUPT"
  })
  void faultsOfRepliesAreNoticed(Workload workload, Fault fault) throws Exception {
    assertNoticed(fault, run(plan(workload, fault, SELDOM, 1)));
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void faultsOfViewsAreNoticed(Fault fault) throws Exception {
    assertNoticed(fault, run(plan(Workload.THROUGHPUT, fault, SELDOM, 2).path(MessagePath.VIEW)));
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void oneInAMillionIsNoticed(Fault fault) throws Exception {
    BenchPlan.Builder plan =
        plan(Workload.THROUGHPUT, fault, 1_000_000, 2).limit(Limit.ofMessages(1_100_000));
    Tally tally = run(plan);
    assertNoticed(fault, tally);
    assertThat(tally.lost() + tally.duplicated() + tally.corrupted())
        .isEqualTo(fault == Fault.SWAP ? 2 : 1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Workload.class,
      names = {"THROUGHPUT", "ALLTOALL", "LATENCY", "LOAD"})
  void withoutFaultsNothingIsFound(Workload workload) throws Exception {
    assertThat(run(plan(workload, Fault.DROP, NEVER, 2)).isClean()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void searchesNotice(Fault fault) {
    assertThatThrownBy(() -> search(fault, SELDOM))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("node 2")
        .hasMessageContaining(
            fault == Fault.CORRUPT || fault == Fault.SWAP
                ? "is not what was sent"
                : "messages to node 2");
  }

  @Test
  void searchesWithoutFaultsAreRight() throws Exception {
    search(Fault.DROP, NEVER);
  }

  private static void assertNoticed(Fault fault, Tally tally) {
    assertThat(tally.isClean()).isFalse();
    switch (fault) {
      case DROP -> assertThat(tally.lost()).isPositive();
      case REPEAT -> assertThat(tally.duplicated()).isPositive();
      case CORRUPT, SWAP -> assertThat(tally.corrupted()).isPositive();
    }
  }

  private static Tally run(BenchPlan.Builder plan) throws InterruptedException {
    return Bench.run(plan.build(), Progress.SILENT).getFirst().tally();
  }

  private static BenchPlan.Builder plan(Workload workload, Fault fault, int every, int node) {
    return BenchPlan.builder(workload)
        .system(system(fault, every, node))
        .ratePerSecond(workload == Workload.LOAD ? 20_000 : 0)
        .limit(workload == Workload.IDLE ? Limit.ofSeconds(0.1) : Limit.ofMessages(1200))
        .warmupSeconds(0)
        .repeat(1);
  }

  private static void search(Fault fault, int every) throws InterruptedException {
    Bfs.run(new BfsPlan(8, 16, 2, 1, 1, system(fault, every, 2)), Progress.SILENT, soFar -> {});
  }

  private static SystemUnderTest system(Fault fault, int every, int node) {
    return SystemUnderTest.of(
        FaultyProvider.NAME,
        Map.of(
            FaultyProvider.FAULT.name(),
            fault.name().toLowerCase(Locale.ROOT),
            FaultyProvider.EVERY.name(),
            Integer.toString(every),
            FaultyProvider.NODE.name(),
            Integer.toString(node),
            "request.timeout",
            fault == Fault.DROP && every != NEVER ? "1s" : "3m"));
  }
}
