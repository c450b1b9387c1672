// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.control.Conversation;
import io.verbena.bench.control.Line;
import io.verbena.bench.node.Membership;
import io.verbena.bench.node.NodeMain;
import io.verbena.bench.node.NodeSession;
import io.verbena.bench.node.NodeTask;
import io.verbena.bench.node.Reports;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Limit;
import io.verbena.bench.plan.Topology;
import io.verbena.bench.process.FreePorts;
import io.verbena.bench.verify.Tally;
import io.verbena.bench.verify.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The nodes of one run, and the rounds they are led through together. */
public final class Cluster implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final BenchPlan plan;
  private final Topology topology;
  private final List<MeasuredNode> nodes = new ArrayList<>();
  private final Map<Integer, Line> sent = new HashMap<>(); // the last report of each sending node

  private Cluster(BenchPlan plan) {
    this.plan = plan;
    this.topology = plan.topology();
  }

  /**
   * Starts the nodes and connects them.
   *
   * @param sizeBytes of message bodies, one of the plan's
   */
  public static Cluster start(BenchPlan plan, int sizeBytes) throws InterruptedException {
    Cluster cluster = new Cluster(plan);
    try {
      cluster.startNodes(sizeBytes);
      cluster.hearAll("ready", node -> true);
      cluster.tellAll(new Line("connect"), node -> true);
      cluster.hearAll("connected", node -> true);
      return cluster;
    } catch (RuntimeException | InterruptedException e) {
      cluster.close();
      throw e;
    }
  }

  private void startNodes(int sizeBytes) {
    String name = Membership.uniqueClusterName();
    List<Integer> ports = FreePorts.find(topology.nodes());
    for (int id : topology.all()) {
      NodeTask task = NodeTask.of(plan, id, sizeBytes, name, ports);
      nodes.add(
          plan.isInOneProcess()
              ? MeasuredNode.inThread(id, channel -> NodeSession.run(task, channel))
              : MeasuredNode.inChild(id, NodeMain.class, plan.jvmOptions(), task.toLine()));
    }
  }

  /** Leads the nodes through a round. */
  public Round round(Limit limit) throws InterruptedException {
    tellAll(new Line("begin"), node -> true);
    hearAll("begun", node -> true);
    List<Line> replies = send(limit);
    List<Line> received = receive();
    List<Line> usages = usages(new Line("end"), PATIENCE);
    return round(replies, received, usages);
  }

  /** Lets the nodes do nothing. */
  double restingPercent(Duration duration) throws InterruptedException {
    List<Line> usages =
        usages(new Line("rest").with("ns", duration.toNanos()), duration.plus(PATIENCE));
    long busiestNs = usages.stream().mapToLong(usage -> usage.number("cpu")).max().orElse(0);
    int nodesInProcess = plan.isInOneProcess() ? topology.nodes() : 1;
    return 100.0 * busiestNs / duration.toNanos() / nodesInProcess;
  }

  /** The transport that carries the messages, and why it was chosen. */
  public Line links() throws InterruptedException {
    Conversation first = nodes.getFirst().conversation();
    first.tell(new Line("links"));
    return first.hear("links", PATIENCE);
  }

  private List<Line> send(Limit limit) throws InterruptedException {
    Line command = new Line("send").with("messages", limit.messages()).with("ns", limit.nanos());
    tellAll(command, this::sends);
    String word = plan.workload().hasReplies() ? "received" : "sent";
    Duration patience =
        PATIENCE.multipliedBy(limit.messages() > 0 ? 60 : 1).plusNanos(limit.nanos());
    List<MeasuredNode> senders = nodes.stream().filter(this::sends).toList();
    List<Line> reports = MeasuredNode.hearAll(senders, word, patience);
    for (int i = 0; i < senders.size(); i++) {
      sent.put(senders.get(i).id(), reports.get(i));
    }
    return reports;
  }

  private List<Line> receive() throws InterruptedException {
    for (MeasuredNode node : nodes) {
      Line command = new Line("expect");
      for (int source : topology.sourcesOf(node.id())) {
        command.with("from" + source, sentBy(source).text("to" + node.id()));
      }
      node.conversation().tell(command);
    }
    return hearAll("received", node -> true);
  }

  private Line sentBy(int source) {
    Line report = sent.get(source);
    if (report == null) {
      throw new IllegalStateException("node " + source + " has sent nothing");
    }
    return report;
  }

  private List<Line> usages(Line command, Duration patience) throws InterruptedException {
    tellAll(command, node -> true);
    return MeasuredNode.hearAll(nodes, "usage", patience);
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
        sum(usages, "cpu", node -> true) / 1e9,
        sum(usages, "allocated", this::sends),
        sum(usages, "allocated", node -> !sends(node)),
        0);
  }

  private static @Nullable Histogram histogram(List<Line> replies) {
    Histogram all = Reports.newHistogram();
    replies.forEach(reply -> all.add(Reports.histogram(reply.text("rtt"))));
    return all.getTotalCount() == 0 ? null : all;
  }

  /** The sum over processes: nodes that share one all report the same figure. */
  private long sum(List<Line> usages, String figure, Predicate<MeasuredNode> which) {
    if (plan.isInOneProcess()) {
      return which.test(nodes.getFirst()) ? usages.getFirst().number(figure) : 0;
    }
    long sum = 0;
    for (int i = 0; i < nodes.size(); i++) {
      sum += which.test(nodes.get(i)) ? usages.get(i).number(figure) : 0;
    }
    return sum;
  }

  private boolean sends(MeasuredNode node) {
    return !topology.destinationsOf(node.id()).isEmpty();
  }

  private void tellAll(Line command, Predicate<MeasuredNode> which) {
    nodes.stream().filter(which).forEach(node -> node.conversation().tell(command));
  }

  private List<Line> hearAll(String word, Predicate<MeasuredNode> which)
      throws InterruptedException {
    return MeasuredNode.hearAll(nodes.stream().filter(which).toList(), word, PATIENCE);
  }

  @Override
  public void close() {
    // All at once: a node that still flushes needs its peer for that.
    nodes.parallelStream().forEach(MeasuredNode::close);
  }
}
