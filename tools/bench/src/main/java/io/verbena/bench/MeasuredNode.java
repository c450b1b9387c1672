// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import io.verbena.bench.process.ChildProcess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A node under measurement, seen from the process that measures: in a child, or in a thread. */
public final class MeasuredNode implements AutoCloseable {

  private static final Duration LISTEN = Duration.ofMillis(5);

  private static final String FAILED = "failed";

  private final int id;
  private final LineChannel channel;
  private final Runnable end;
  private final Supplier<String> epitaph;

  private MeasuredNode(int id, LineChannel channel, Runnable end, Supplier<String> epitaph) {
    this.id = id;
    this.channel = channel;
    this.end = end;
    this.epitaph = epitaph;
  }

  /** Starts a process; the line is its argument. */
  public static MeasuredNode inChild(
      int id, Class<?> mainClass, List<String> jvmOptions, Line task) {
    ChildProcess child = ChildProcess.start("node " + id, mainClass, jvmOptions, task);
    return new MeasuredNode(id, child.channel(), child::close, child::describeEnd);
  }

  /** Starts a thread. */
  public static MeasuredNode inThread(int id, Consumer<LineChannel> session) {
    LineChannel[] ends = LineChannel.pair();
    Runnable body =
        () -> {
          session.accept(ends[1]);
          ends[0].deliver(LineChannel.END);
        };
    Thread thread = Thread.ofPlatform().daemon().name("node-" + id).start(body);
    return new MeasuredNode(
        id, ends[0], () -> endThread(thread, ends[1]), () -> "ended its conversation");
  }

  private static void endThread(Thread thread, LineChannel channel) {
    channel.deliver(LineChannel.END);
    try {
      thread.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The node's id. */
  public int id() {
    return id;
  }

  /** Says something to it. */
  public void tell(Line command) {
    channel.write(command);
  }

  /**
   * Waits for a report.
   *
   * @throws BenchException if the node failed, ended, or says nothing in time
   */
  public Line hear(String word, Duration patience) throws InterruptedException {
    return hearAll(List.of(this), word, patience).getFirst();
  }

  /**
   * Waits for a report of each of several nodes. The first failure is told, whoever has it, and
   * those that are heard of with it: one node's end may be another one's failure.
   *
   * @return the reports, in the order of the nodes
   * @throws BenchException if a node failed, ended, or says nothing in time
   */
  public static List<Line> hearAll(List<MeasuredNode> nodes, String word, Duration patience)
      throws InterruptedException {
    Map<MeasuredNode, Line> heard = new HashMap<>();
    long endNs = System.nanoTime() + patience.toNanos();
    while (heard.size() < nodes.size()) {
      for (MeasuredNode node : nodes) {
        Line line = heard.containsKey(node) ? null : node.channel.read(LISTEN);
        if (line != null && line.word().equals(FAILED)) {
          throw failure(line, node, nodes);
        } else if (line != null) {
          heard.put(node, node.checked(line, word));
        } else if (!heard.containsKey(node) && System.nanoTime() > endNs) {
          throw new BenchException(
              "node %d did not report '%s' within %d s"
                  .formatted(node.id, word, patience.toSeconds()));
        }
      }
    }
    return nodes.stream().map(node -> Objects.requireNonNull(heard.get(node))).toList();
  }

  private static BenchException failure(Line line, MeasuredNode failed, List<MeasuredNode> nodes)
      throws InterruptedException {
    StringBuilder text = new StringBuilder(failed.failureText(line));
    for (MeasuredNode other : nodes) {
      Line theirs = other == failed ? null : other.channel.read(LISTEN);
      if (theirs != null && theirs.word().equals(FAILED)) {
        text.append("; ").append(other.failureText(theirs));
      }
    }
    return new BenchException(text.toString());
  }

  private String failureText(Line line) {
    return "node " + id + " failed: " + line.text("reason");
  }

  private Line checked(Line line, String word) {
    if (line == LineChannel.END) {
      throw new BenchException("node " + id + " " + epitaph.get() + " before '" + word + "'");
    }
    if (!line.word().equals(word)) {
      throw new BenchException(
          "node " + id + " reported '" + line.word() + "', not '" + word + "'");
    }
    return line;
  }

  @Override
  public void close() {
    end.run();
  }
}
