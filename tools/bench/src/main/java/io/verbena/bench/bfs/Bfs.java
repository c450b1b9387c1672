// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import io.verbena.bench.MeasuredNodes;
import io.verbena.bench.Progress;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.control.Line;
import io.verbena.bench.node.Membership;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Carries out a {@link BfsPlan}: makes the graph, searches from every root, judges every tree. */
public final class Bfs implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final BfsPlan plan;
  private final Partition partition;
  private final Progress progress;
  private @Nullable MeasuredNodes nodes;

  private Bfs(BfsPlan plan, Progress progress) {
    this.plan = plan;
    this.partition = plan.partition();
    this.progress = progress;
  }

  /**
   * Runs a plan.
   *
   * @param soFar is given the result again after each search
   * @throws BenchException if a node fails, or a message was lost, repeated or changed on its way;
   *     no node process is left behind
   */
  public static BfsResult run(BfsPlan plan, Progress progress, Consumer<BfsResult> soFar)
      throws InterruptedException {
    try (Bfs bfs = new Bfs(plan, progress)) {
      return bfs.runAll(soFar);
    }
  }

  private BfsResult runAll(Consumer<BfsResult> soFar) throws InterruptedException {
    progress.begins(2 + plan.roots());
    progress.roundBegins("edge list");
    long[] edges = edgeList();
    List<Integer> roots = roots(edges);
    TreeValidator validator = new TreeValidator(1 << plan.scale(), edges);
    progress.roundEnds();
    progress.roundBegins("construction");
    startNodes();
    Step construction = step(new Line("construct"), "constructed");
    Line links = nodes().links();
    progress.roundEnds();
    List<SearchResult> searches = new ArrayList<>();
    for (int root : roots) {
      progress.roundBegins("search from " + root);
      searches.add(search(root, validator));
      soFar.accept(result(construction, links, roots.size(), searches));
      progress.roundEnds();
    }
    return result(construction, links, roots.size(), searches);
  }

  private BfsResult result(
      Step construction, Line links, int planned, List<SearchResult> searches) {
    return new BfsResult(
        plan,
        links.text("transport"),
        links.text("reason"),
        construction.seconds(),
        construction.messages(),
        construction.cpuSeconds(),
        planned,
        List.copyOf(searches));
  }

  private long[] edgeList() {
    Kronecker generator = plan.generator();
    long[] edges = new long[Math.toIntExact(generator.edges())];
    Arrays.parallelSetAll(edges, generator::edge);
    return edges;
  }

  /**
   * Different random vertices that have a neighbour other than themselves; all there are, if they
   * are fewer than asked for.
   */
  private List<Integer> roots(long[] edges) {
    boolean[] hasNeighbour = new boolean[1 << plan.scale()];
    for (long edge : edges) {
      if (Kronecker.from(edge) != Kronecker.to(edge)) {
        hasNeighbour[Kronecker.from(edge)] = true;
        hasNeighbour[Kronecker.to(edge)] = true;
      }
    }
    SplittableRandom random = new SplittableRandom(plan.seed());
    int planned = Math.min(plan.roots(), count(hasNeighbour));
    Set<Integer> roots = new LinkedHashSet<>();
    while (roots.size() < planned) {
      int vertex = random.nextInt(hasNeighbour.length);
      if (hasNeighbour[vertex]) {
        roots.add(vertex);
      }
    }
    return List.copyOf(roots);
  }

  private static int count(boolean[] flags) {
    int count = 0;
    for (boolean flag : flags) {
      count += flag ? 1 : 0;
    }
    return count;
  }

  private void startNodes() throws InterruptedException {
    String name = Membership.uniqueClusterName();
    List<Line> tasks = new ArrayList<>();
    for (int id = 1; id <= plan.nodes(); id++) {
      Membership membership =
          new Membership(
              id, plan.nodes(), name, plan.system().transport(), plan.system().settings());
      tasks.add(new BfsTask(membership, plan.scale(), plan.edgeFactor(), plan.seed()).toLine());
    }
    nodes = MeasuredNodes.start(tasks, place(), PATIENCE);
    nodes.ask(new Line("connect"), "connected");
  }

  private MeasuredNodes.Place place() {
    return plan.system().isInOneProcess()
        ? MeasuredNodes.Place.threads(
            (task, channel) -> BfsSession.run(BfsTask.parse(task), channel))
        : MeasuredNodes.Place.children(BfsMain.class, jvmOptions());
  }

  /** A heap of its own size: several with a quarter of the memory each might not fit. */
  private List<String> jvmOptions() {
    List<String> options = new ArrayList<>();
    options.add("-Xmx" + plan.heapMegabytes() + "m");
    options.addAll(plan.system().jvmOptions()); // the last one counts
    return options;
  }

  private SearchResult search(int root, TreeValidator validator) throws InterruptedException {
    Step step = step(new Line("search").with("root", root), "searched");
    int[] parents = new int[1 << plan.scale()];
    byte[] levels = new byte[parents.length];
    collect(nodes().ask(new Line("tree"), "tree"), parents, levels);
    TreeValidator.Verdict verdict = validator.judge(root, parents, levels);
    return new SearchResult(
        root,
        verdict.vertices(),
        verdict.edges(),
        step.seconds(),
        step.messages(),
        step.cpuSeconds(),
        verdict.faults());
  }

  private void collect(List<Line> parts, int[] parents, byte[] levels) {
    for (int i = 0; i < parts.size(); i++) {
      int first = partition.first(i + 1);
      int count = partition.count(i + 1);
      Base64.Decoder decoder = Base64.getDecoder();
      ByteBuffer words = ByteBuffer.wrap(decoder.decode(parts.get(i).text("parents")));
      words.order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(parents, first, count);
      System.arraycopy(decoder.decode(parts.get(i).text("levels")), 0, levels, first, count);
    }
  }

  private Step step(Line command, String answer) throws InterruptedException {
    List<Line> reports = nodes().ask(command, answer);
    long startNs = reports.stream().mapToLong(report -> report.number("start")).min().orElse(0);
    long endNs = reports.stream().mapToLong(report -> report.number("end")).max().orElse(0);
    long messages = reports.stream().mapToLong(report -> report.number("messages")).sum();
    long cpuNs = reports.stream().mapToLong(report -> report.number("cpu")).sum();
    // Nodes that share a process all report the same figure.
    long allNs = plan.system().isInOneProcess() ? cpuNs / plan.nodes() : cpuNs;
    return new Step((endNs - startNs) / 1e9, messages, allNs / 1e9);
  }

  /** What all nodes did together. */
  private record Step(double seconds, long messages, double cpuSeconds) {}

  private MeasuredNodes nodes() {
    return Objects.requireNonNull(nodes);
  }

  @Override
  public void close() {
    if (nodes != null) {
      nodes.close();
    }
  }
}
