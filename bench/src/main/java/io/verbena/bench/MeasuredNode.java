// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import io.verbena.bench.node.NodeMain;
import io.verbena.bench.node.NodeSession;
import io.verbena.bench.node.NodeTask;
import io.verbena.bench.process.ChildProcess;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** A node under measurement, seen from the process that measures: in a child, or in a thread. */
final class MeasuredNode implements AutoCloseable {

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

  static MeasuredNode inChild(NodeTask task, List<String> jvmOptions) {
    ChildProcess child =
        ChildProcess.start("node " + task.id(), NodeMain.class, jvmOptions, task.toLine());
    return new MeasuredNode(task.id(), child.channel(), child::close, child::describeEnd);
  }

  static MeasuredNode inThread(NodeTask task) {
    LineChannel[] ends = LineChannel.pair();
    Runnable body =
        () -> {
          NodeSession.run(task, ends[1]);
          ends[0].deliver(LineChannel.END);
        };
    Thread thread = Thread.ofPlatform().daemon().name("node-" + task.id()).start(body);
    return new MeasuredNode(
        task.id(), ends[0], () -> endThread(thread, ends[1]), () -> "ended its conversation");
  }

  private static void endThread(Thread thread, LineChannel channel) {
    channel.deliver(LineChannel.END);
    try {
      thread.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  int id() {
    return id;
  }

  void tell(Line command) {
    channel.write(command);
  }

  /**
   * Waits for a report.
   *
   * @throws BenchException if the node failed, ended, or says nothing in time
   */
  Line hear(String word, Duration patience) throws InterruptedException {
    Line line = channel.read(patience);
    if (line == null) {
      throw new BenchException(
          "node %d did not report '%s' within %d s".formatted(id, word, patience.toSeconds()));
    }
    if (line == LineChannel.END) {
      throw new BenchException("node " + id + " " + epitaph.get() + " before '" + word + "'");
    }
    if (line.word().equals("failed")) {
      throw new BenchException("node " + id + " failed: " + line.text("reason"));
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
