// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.control.Conversation;
import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import io.verbena.bench.process.ChildProcess;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A node under measurement, seen from the process that measures: in a child, or in a thread. */
public final class MeasuredNode implements AutoCloseable {

  private final int id;
  private final Conversation conversation;
  private final Runnable end;

  private MeasuredNode(int id, Conversation conversation, Runnable end) {
    this.id = id;
    this.conversation = conversation;
    this.end = end;
  }

  /** Starts a process; the line is its argument. */
  public static MeasuredNode inChild(
      int id, Class<?> mainClass, List<String> jvmOptions, Line task) {
    ChildProcess child = ChildProcess.start("node " + id, mainClass, jvmOptions, task);
    return new MeasuredNode(id, child.conversation(), child::close);
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
    Conversation conversation =
        new Conversation("node " + id, ends[0], () -> "ended its conversation");
    return new MeasuredNode(id, conversation, () -> endThread(thread, ends[1]));
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

  /** What is told to it and heard of it. */
  public Conversation conversation() {
    return conversation;
  }

  /**
   * Waits for a report of each of several nodes.
   *
   * @return the reports, in the order of the nodes
   * @throws BenchException if a node failed, ended, or says nothing in time
   */
  public static List<Line> hearAll(List<MeasuredNode> nodes, String word, Duration patience)
      throws InterruptedException {
    List<Conversation> all = nodes.stream().map(MeasuredNode::conversation).toList();
    return Conversation.hearAll(all, word, patience);
  }

  @Override
  public void close() {
    end.run();
  }
}
