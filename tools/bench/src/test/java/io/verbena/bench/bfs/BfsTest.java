// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.Machine;
import io.verbena.bench.Progress;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.plan.SystemUnderTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("timing")
@Timeout(600)
class BfsTest {

  private static final Machine MACHINE = new Machine("abc", "25", "a processor", 2, "Linux 6");

  @ParameterizedTest
  @CsvSource({"loopback, 2, 10", "loopback, 5, 8", "loopback, 16, 4", "tcp, 3, 10", "shm, 2, 11"})
  void everyTreeIsRight(String transport, int nodes, int scale) throws Exception {
    BfsResult result = run(plan(transport, nodes, scale, 4));
    assertThat(result.searches()).isNotEmpty().allMatch(SearchResult::isValid);
    assertThat(result.transport()).isEqualTo(transport);
    assertThat(result.constructionMessages()).isEqualTo(endsOwnedByOthers(result.plan()));
  }

  @Test
  void aMessageIsSentForEachEdgeOfTheComponentThatLeavesItsNode() throws Exception {
    BfsResult result = run(plan("loopback", 3, 9, 3));
    for (SearchResult search : result.searches()) {
      boolean[] component = component(result.plan(), search.root());
      assertThat(search.messages()).isEqualTo(edgesBetweenNodes(result.plan(), component));
      assertThat(search.edges()).isEqualTo(edgesWithin(result.plan(), component));
      assertThat(search.seconds()).isPositive();
    }
  }

  @Test
  void resultsAreGivenAfterEachSearch() throws Exception {
    List<Integer> counts = new ArrayList<>();
    Bfs.run(
        plan("loopback", 2, 8, 3), Progress.SILENT, soFar -> counts.add(soFar.searches().size()));
    assertThat(counts).containsExactly(1, 2, 3);
  }

  @Test
  void fewerRootsThanAskedForAreSaid() throws Exception {
    BfsResult few = run(new BfsPlan(4, 1, 2, 1024, 3, SystemUnderTest.of("loopback")));
    int roots = few.searches().size();
    assertThat(roots).isBetween(2, 15);
    assertThat(BfsReport.format(MACHINE, few))
        .contains("1024 roots were asked for: only %d vertices have a neighbour".formatted(roots));
    JsonNode root = json(few);
    assertThat(root.get("results").get(0).get("roots_asked").asInt()).isEqualTo(1024);
    assertThat(root.get("results").get(0).get("roots").asInt()).isEqualTo(roots);
    assertThat(root.get("meta").get("complete").asBoolean()).isTrue();
    assertThat(BfsReport.format(MACHINE, result(List.of()))).doesNotContain("asked for");
  }

  @Test
  void nodesThatCannotBeOpenedAreNamed() {
    BfsPlan plan =
        new BfsPlan(8, 4, 2, 1, 1, SystemUnderTest.of("tcp", Map.of("no.such.key", "1")));
    assertThatThrownBy(() -> run(plan))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("no.such.key");
  }

  @Test
  void refusesWhatCannotBeMeasured() {
    assertRefused(3, 16, 2, 1, "scale = 3: expected 4 to 26");
    assertRefused(26, 32, 2, 1, "at most 2^30");
    assertRefused(4, 16, 17, 1, "nodes = 17: expected 2 to 16");
    assertRefused(4, 0, 2, 1, "edgefactor = 0");
    assertRefused(4, 1, 2, 0, "roots = 0");
  }

  @Test
  void jsonHasTheAgreedShape() {
    JsonNode result = json(result(List.of())).get("results").get(0);
    assertThat(result.propertyNames())
        .contains("system", "workload", "transport", "device", "nodes", "scale", "edge_factor")
        .contains("roots_asked", "roots")
        .contains("construction_seconds", "teps", "seconds", "edges", "messages_per_second")
        .contains("cpu_seconds", "valid", "searches");
    assertThat(result.get("teps").propertyNames())
        .containsExactly(
            "min",
            "firstquartile",
            "median",
            "thirdquartile",
            "max",
            "harmonic_mean",
            "harmonic_stddev");
    assertThat(result.get("teps").get("median").asDouble()).isEqualTo(1000);
    assertThat(result.get("valid").asBoolean()).isTrue();
  }

  @Test
  void theTextNamesTheDeviceAsTheJsonDoes() {
    BfsPlan plan =
        new BfsPlan(8, 4, 2, 1, 1, SystemUnderTest.of("rdma", Map.of("rdma.device", "softnic")));
    SearchResult search = new SearchResult(7, 16, 2000, 2, 500, 0.5, List.of());
    BfsResult onDevice =
        new BfsResult(plan, "rdma", "dialled over verbs", 1, 100, 1, 1, List.of(search));
    assertThat(BfsReport.format(MACHINE, onDevice))
        .contains("search over rdma softnic (dialled over verbs)");
    assertThat(json(onDevice).get("results").get(0).get("device").asString()).isEqualTo("softnic");
    assertThat(BfsReport.format(MACHINE, result(List.of()))).contains("search over shm (");
  }

  @Test
  void aWrongTreeIsSaid() {
    BfsResult wrong = result(List.of("check 3: a fault"));
    assertThat(BfsReport.format(MACHINE, wrong)).contains("WRONG: search from 7: check 3: a fault");
    assertThat(json(wrong).get("results").get(0).get("valid").asBoolean()).isFalse();
    assertThat(BfsReport.format(MACHINE, result(List.of()))).contains("All 1 trees passed");
  }

  private static JsonNode json(BfsResult result) {
    return JsonMapper.shared().readTree(BfsReport.toJson(MACHINE, "verbena bench bfs", result));
  }

  private static BfsResult result(List<String> faults) {
    SearchResult search = new SearchResult(7, 16, 2000, 2, 500, 0.5, faults);
    return new BfsResult(plan("shm", 2, 8, 1), "shm", "same host", 1, 100, 1, 1, List.of(search));
  }

  private static BfsPlan plan(String transport, int nodes, int scale, int roots) {
    return new BfsPlan(scale, 16, nodes, roots, 3, SystemUnderTest.of(transport));
  }

  private static BfsResult run(BfsPlan plan) throws InterruptedException {
    return Bfs.run(plan, Progress.SILENT, soFar -> {});
  }

  /** Grows the component until nothing is added: slow and plain. */
  private static boolean[] component(BfsPlan plan, int root) {
    Kronecker generator = plan.generator();
    boolean[] inside = new boolean[generator.vertices()];
    inside[root] = true;
    for (boolean grows = true; grows; ) {
      grows = false;
      for (long i = 0; i < generator.edges(); i++) {
        int from = Kronecker.from(generator.edge(i));
        int to = Kronecker.to(generator.edge(i));
        grows |= inside[from] != inside[to];
        inside[from] |= inside[to];
        inside[to] |= inside[from];
      }
    }
    return inside;
  }

  /** Of each edge, the ends that another node owns than the one that makes the edge. */
  private static long endsOwnedByOthers(BfsPlan plan) {
    Kronecker generator = plan.generator();
    Partition partition = plan.partition();
    long count = 0;
    for (int node = 1; node <= plan.nodes(); node++) {
      long end = partition.firstEdge(node + 1, generator.edges());
      for (long i = partition.firstEdge(node, generator.edges()); i < end; i++) {
        int from = Kronecker.from(generator.edge(i));
        int to = Kronecker.to(generator.edge(i));
        if (from != to) {
          count += (partition.owner(from) == node ? 0 : 1) + (partition.owner(to) == node ? 0 : 1);
        }
      }
    }
    return count;
  }

  /** Both ways. */
  private static long edgesBetweenNodes(BfsPlan plan, boolean[] component) {
    Kronecker generator = plan.generator();
    Partition partition = plan.partition();
    long count = 0;
    for (long i = 0; i < generator.edges(); i++) {
      int from = Kronecker.from(generator.edge(i));
      int to = Kronecker.to(generator.edge(i));
      count += component[from] && partition.owner(from) != partition.owner(to) ? 2 : 0;
    }
    return count;
  }

  private static long edgesWithin(BfsPlan plan, boolean[] component) {
    Kronecker generator = plan.generator();
    long count = 0;
    for (long i = 0; i < generator.edges(); i++) {
      count += component[Kronecker.from(generator.edge(i))] ? 1 : 0;
    }
    return count;
  }

  private static void assertRefused(int scale, int edgeFactor, int nodes, int roots, String why) {
    assertThatThrownBy(
            () -> new BfsPlan(scale, edgeFactor, nodes, roots, 1, SystemUnderTest.of("shm")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }
}
