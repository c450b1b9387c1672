// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.control.Line;
import io.verbena.bench.node.Membership;
import io.verbena.bench.node.MemoryUse;
import io.verbena.bench.node.NodeMain;
import io.verbena.bench.node.NodeSession;
import io.verbena.bench.node.NodeTask;
import io.verbena.bench.node.Reports;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Limit;
import io.verbena.bench.plan.Topology;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.process.RankProcesses;
import io.verbena.bench.verify.Tally;
import io.verbena.bench.verify.Window;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The nodes of one run, and the rounds they are led through together. */
public final class Cluster implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final BenchPlan plan;
  private final Topology topology;
  private final MeasuredNodes nodes;
  private final List<Integer> senders;
  private final Map<Integer, Line> sent = new HashMap<>(); // the last report of each sending node

  private Cluster(BenchPlan plan, MeasuredNodes nodes) {
    this.plan = plan;
    this.topology = plan.topology();
    this.nodes = nodes;
    this.senders = nodes.ids().stream().filter(this::sends).toList();
  }

  /**
   * Starts the nodes and connects them.
   *
   * @param sizeBytes of message bodies, one of the plan's
   */
  public static Cluster start(BenchPlan plan, int sizeBytes) throws InterruptedException {
    String name = Membership.uniqueClusterName();
    List<Line> tasks =
        plan.topology().all().stream()
            .map(id -> NodeTask.of(plan, id, sizeBytes, name).toLine())
            .toList();
    Cluster cluster = new Cluster(plan, MeasuredNodes.start(tasks, place(plan), PATIENCE));
    try {
      cluster.nodes.ask(new Line("connect"), "connected");
      return cluster;
    } catch (RuntimeException | InterruptedException e) {
      cluster.close();
      throw e;
    }
  }

  private static MeasuredNodes.Place place(BenchPlan plan) {
    Path hosts = plan.system().hosts();
    if (hosts != null) {
      return MeasuredNodes.Place.ranks(
          RankProcesses.start(hosts, plan.nodes(), NodeMain.class, jvmOptions(plan)));
    }
    return plan.system().isInOneProcess()
        ? MeasuredNodes.Place.threads(
            (task, channel) -> NodeSession.run(NodeTask.parse(task), channel))
        : MeasuredNodes.Place.children(NodeMain.class, jvmOptions(plan));
  }

  /** Nodes that tell what memory they take have the JVM keep account of it. */
  private static List<String> jvmOptions(BenchPlan plan) {
    List<String> options = new ArrayList<>(plan.system().jvmOptions());
    if (plan.workload() == Workload.IDLE) {
      options.add("-XX:NativeMemoryTracking=summary");
    }
    return options;
  }

  /** Leads the nodes through a round. */
  public Round round(Limit limit) throws InterruptedException {
    nodes.ask(new Line("begin"), "begun");
    List<Line> replies = send(limit);
    List<Line> received = receive();
    List<Line> usages = nodes.ask(new Line("end"), "usage");
    return round(replies, received, usages);
  }

  /** Processor time of the compilers of all node processes so far. */
  public double compilerSeconds() {
    return nodes.compilerSeconds();
  }

  /** Lets the nodes do nothing. */
  double restingPercent(Duration duration) throws InterruptedException {
    List<Line> usages =
        nodes.ask(
            new Line("rest").with("ns", duration.toNanos()), "usage", duration.plus(PATIENCE));
    long busiestNs = usages.stream().mapToLong(usage -> usage.number("cpu")).max().orElse(0);
    int nodesInProcess = plan.system().isInOneProcess() ? topology.nodes() : 1;
    return 100.0 * busiestNs / duration.toNanos() / nodesInProcess;
  }

  /**
   * Has nodes exchange greetings: each with the node before it and after it, and with those that
   * the workload connects it with.
   *
   * @return what became of them
   */
  Tally meetSome() throws InterruptedException {
    return meet(
        (a, b) -> topology.sends(a, b) || topology.sends(b, a) || a % topology.nodes() + 1 == b);
  }

  /** Has each node exchange greetings with every other; what became of them. */
  Tally meetAll() throws InterruptedException {
    return meet((a, b) -> true);
  }

  private Tally meet(BiPredicate<Integer, Integer> which) throws InterruptedException {
    for (int id : nodes.ids()) {
      long[] others =
          nodes.ids().stream()
              .filter(other -> other != id && (which.test(id, other) || which.test(other, id)))
              .mapToLong(Integer::longValue)
              .toArray();
      nodes.tell(id, new Line("meet").with("nodes", others));
    }
    return nodes.hearAll(nodes.ids(), "received", PATIENCE).stream()
        .map(Reports::tally)
        .reduce(Tally.NONE, Tally::plus);
  }

  /** What each node's process takes. */
  List<MemoryUse> memory() throws InterruptedException {
    return nodes.ask(new Line("memory"), "memory").stream().map(MemoryUse::parse).toList();
  }

  /** The transport that carries the messages, and why it was chosen. */
  public Line links() throws InterruptedException {
    return nodes.links();
  }

  private List<Line> send(Limit limit) throws InterruptedException {
    Line command = new Line("send").with("messages", limit.messages()).with("ns", limit.nanos());
    nodes.tell(senders, command);
    String word = plan.workload().hasReplies() ? "received" : "sent";
    Duration patience =
        PATIENCE.multipliedBy(limit.messages() > 0 ? 60 : 1).plusNanos(limit.nanos());
    List<Line> reports = nodes.hearAll(senders, word, patience);
    for (int i = 0; i < senders.size(); i++) {
      sent.put(senders.get(i), reports.get(i));
    }
    return reports;
  }

  private List<Line> receive() throws InterruptedException {
    for (int id : nodes.ids()) {
      Line command = new Line("expect");
      for (int source : topology.sourcesOf(id)) {
        command.with("from" + source, sentBy(source).text("to" + id));
      }
      nodes.tell(id, command);
    }
    return nodes.hearAll(nodes.ids(), "received", PATIENCE);
  }

  private Line sentBy(int source) {
    Line report = sent.get(source);
    if (report == null) {
      throw new IllegalStateException("node " + source + " has sent nothing");
    }
    return report;
  }

  private Round round(List<Line> replies, List<Line> received, List<Line> usages) {
    Tally tally = received.stream().map(Reports::tally).reduce(Tally.NONE, Tally::plus);
    Window window = received.stream().map(Reports::window).reduce(Window.EMPTY, Window::union);
    long messages = tally.expected();
    Histogram roundTrips = null;
    if (plan.workload().hasReplies()) {
      // Requests are judged where they arrive, replies where they were asked for.
      Tally answered = replies.stream().map(Reports::tally).reduce(Tally.NONE, Tally::plus);
      tally = tally.plus(answered.withExpected(0));
      window = replies.stream().map(Reports::window).reduce(Window.EMPTY, Window::union);
      roundTrips = histogram(replies);
    }
    return new Round(
        messages,
        window.messagesPerSecond(),
        tally,
        roundTrips,
        sum(usages, "cpu", id -> true) / 1e9,
        sum(usages, "allocated", this::sends),
        sum(usages, "allocated", id -> !sends(id)),
        0);
  }

  private static @Nullable Histogram histogram(List<Line> replies) {
    Histogram all = Reports.newHistogram();
    replies.forEach(reply -> all.add(Reports.histogram(reply.text("rtt"))));
    return all.getTotalCount() == 0 ? null : all;
  }

  /** The sum over processes: nodes that share one all report the same figure. */
  private long sum(List<Line> usages, String figure, IntPredicate which) {
    int processes = plan.system().isInOneProcess() ? 1 : usages.size();
    return IntStream.rangeClosed(1, processes)
        .filter(which)
        .mapToLong(id -> usages.get(id - 1).number(figure))
        .sum();
  }

  private boolean sends(int id) {
    return !topology.destinationsOf(id).isEmpty();
  }

  @Override
  public void close() {
    nodes.close();
  }
}
