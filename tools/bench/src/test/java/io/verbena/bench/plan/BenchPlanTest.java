// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.Execution;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchPlanTest {

  @Test
  void refusesWhatCannotBeMeasured() {
    assertRefused(plan().nodes(1), "nodes = 1: expected 2 to 64");
    assertRefused(plan().threads(0), "threads = 0");
    assertRefused(plan().nodes(3).direction(Direction.BI), "between 2 nodes");
    assertRefused(plan().path(MessagePath.VIEW).lane(LaneKind.SHARED), "--sender exclusive");
    assertRefused(plan().path(MessagePath.VIEW).handlers(Execution.pool(2)), "--handlers inline");
    assertRefused(plan().sizes(List.of(136)), "no record has a body of just 136 bytes");
    assertRefused(plan().sizes(List.of(1)).threads(17), "can tell 16 threads apart, not 17");
    assertRefused(plan().limit(Limit.ofMessages(0)), "needs messages or seconds");
    assertRefused(BenchPlan.builder(Workload.LATENCY).nodes(3), "between 2 nodes");
    assertRefused(BenchPlan.builder(Workload.IDLE).limit(Limit.ofMessages(1)), "told in seconds");
  }

  @Test
  void nodesOfSeveralHostsAreMeasuredByOneClock() {
    SystemUnderTest hosts = SystemUnderTest.of("tcp").onHosts(Path.of("hosts"));
    assertThat(plan().system(hosts).nodes(3).build().system().hosts()).isNotNull();
    assertThat(hosts.onDevice("softnic").hosts()).isNotNull();
    for (Workload workload : List.of(Workload.LATENCY, Workload.IDLE)) {
      BenchPlan.builder(workload).system(hosts).build();
    }
    assertRefused(plan().system(hosts).direction(Direction.BI), "clocks of several hosts");
    assertRefused(BenchPlan.builder(Workload.ALLTOALL).system(hosts), "clocks of several hosts");
    SystemUnderTest inOne = SystemUnderTest.of("loopback").onHosts(Path.of("hosts"));
    assertRefused(plan().system(inOne), "another transport than loopback");
  }

  @Test
  void aLoadHasARateAndNothingElseDoes() {
    assertRefused(BenchPlan.builder(Workload.LOAD), "--rate");
    assertRefused(BenchPlan.builder(Workload.LOAD).ratePerSecond(20e6), "1 to 10M");
    assertRefused(plan().ratePerSecond(5), "only workload load");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "-1", "0", "1G", "64KB", "17M"})
  void refusesSizesThatAreNone(String text) {
    assertThatThrownBy(() -> SizeText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void readsAndWritesSizes() {
    assertThat(SizeText.parse("64")).isEqualTo(64);
    assertThat(SizeText.parse("64K")).isEqualTo(65_536);
    assertThat(SizeText.parse("1m")).isEqualTo(1 << 20);
    assertThat(SizeText.format(65_536)).isEqualTo("64K");
    assertThat(SizeText.format(100)).isEqualTo("100");
  }

  @ParameterizedTest
  @ValueSource(strings = {"inline", "virtual", "pool:4"})
  void readsAndWritesHandlers(String text) {
    assertThat(HandlerPlace.format(HandlerPlace.parse(text))).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pool", "pool:", "pool:0", "pool:x", "threads"})
  void refusesHandlersThatAreNone(String text) {
    assertThatThrownBy(() -> HandlerPlace.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void oneNodeReceivesUnlessAllSend() {
    Topology fanIn = new Topology(Workload.THROUGHPUT, Direction.UNI, 3);
    assertThat(fanIn.sourcesOf(3)).containsExactly(1, 2);
    assertThat(fanIn.destinationsOf(3)).isEmpty();
    Topology all = new Topology(Workload.ALLTOALL, Direction.UNI, 3);
    assertThat(all.destinationsOf(2)).containsExactly(1, 3);
    assertThat(new Topology(Workload.LATENCY, Direction.BI, 2).sourcesOf(1)).containsExactly(2);
  }

  @Test
  void repliesKeepAThreadBusyWhereTheSenderDoesNotWaitForThem() {
    assertThat(new Topology(Workload.LATENCY, Direction.UNI, 2).busyThreads(1)).isEqualTo(2);
    assertThat(new Topology(Workload.LOAD, Direction.UNI, 2).busyThreads(1)).isEqualTo(3);
    assertThat(new Topology(Workload.THROUGHPUT, Direction.BI, 2).busyThreads(4)).isEqualTo(10);
  }

  @Test
  void messagesAreSharedOutAmongThreads() {
    Limit limit = Limit.ofMessages(10);
    assertThat(limit.messagesOf(0, 3) + limit.messagesOf(1, 3) + limit.messagesOf(2, 3))
        .isEqualTo(10);
    assertThat(Limit.ofSeconds(1).messagesOf(0, 3)).isEqualTo(Long.MAX_VALUE);
  }

  private static BenchPlan.Builder plan() {
    return BenchPlan.builder(Workload.THROUGHPUT);
  }

  private static void assertRefused(BenchPlan.Builder plan, String reason) {
    assertThatThrownBy(plan::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }
}
