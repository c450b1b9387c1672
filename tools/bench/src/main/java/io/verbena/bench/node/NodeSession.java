// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.ConnectionInfo;
import io.verbena.Node;
import io.verbena.bench.control.Conversation;
import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import io.verbena.bench.plan.Limit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A node that is measured, and the conversation in which it is told what to do:
 *
 * <ol>
 *   <li>{@code connect} → {@code connected}: lanes are open, all peers were reached
 *   <li>{@code begin} → {@code begun}: a round begins
 *   <li>{@code send} → {@code sent}: sends until the round's limit
 *   <li>{@code expect} → {@code received}: waits for what was sent, and judges it
 *   <li>{@code end} → {@code usage}: the round is over
 *   <li>{@code rest} → {@code usage}: does nothing for a time
 *   <li>{@code links} → {@code links}: which transport was chosen, and why
 * </ol>
 */
public final class NodeSession {

  private final NodeTask task;
  private final LineChannel channel;
  private Usage roundStart = new Usage(0, 0);
  private @Nullable Load load;

  private NodeSession(NodeTask task, LineChannel channel) {
    this.task = task;
    this.channel = channel;
  }

  /** Opens a node and does what it is told until the conversation ends; failures are reported. */
  public static void run(NodeTask task, LineChannel channel) {
    try (Node node = Node.build(task.config())) {
      new NodeSession(task, channel).converseOrReport(node);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      channel.write(failure(e));
    }
  }

  /** The report of a node that cannot go on. A message of ours says it all, others say where. */
  public static Line failure(Throwable e) {
    StackTraceElement[] trace = e.getStackTrace();
    boolean isOurs = e.getClass().getPackageName().startsWith("io.verbena");
    String reason = isOurs ? String.valueOf(e.getMessage()) : e.toString();
    String where = isOurs || trace.length == 0 ? "" : " at " + trace[0];
    return Conversation.failure(reason + where);
  }

  /**
   * Reports a failure before the node closes: then others fail, too, and it is the first to be
   * heard.
   */
  private void converseOrReport(Node node) throws InterruptedException {
    try {
      converse(node);
    } catch (RuntimeException | Error e) {
      channel.write(failure(e));
    }
  }

  private void converse(Node node) throws InterruptedException {
    Inbox inbox = new Inbox(task);
    inbox.install(node);
    node.start();
    channel.write(new Line("ready"));
    for (Line line = channel.read(); line != LineChannel.END; line = channel.read()) {
      channel.write(answer(line, node, inbox));
    }
    if (load != null) {
      load.close();
    }
  }

  private Line answer(Line line, Node node, Inbox inbox) throws InterruptedException {
    return switch (line.word()) {
      case "connect" -> connect(node);
      case "begin" -> begin(inbox);
      case "send" -> send(line);
      case "expect" -> inbox.endRound(line);
      case "end" -> Usage.now().minus(roundStart).toLine();
      case "rest" -> rest(line.number("ns"));
      case "links" -> links(node);
      default -> throw new IllegalArgumentException("unknown command: " + line);
    };
  }

  private Line connect(Node node) {
    if (task.topology().destinationsOf(task.id()).isEmpty()) {
      return new Line("connected");
    }
    load =
        switch (task.topology().workload()) {
          case THROUGHPUT, ALLTOALL -> new OneWayLoad(node, task);
          case LATENCY, IDLE -> new RequestLoad(node, task);
          case LOAD -> new OpenLoad(node, task);
        };
    return new Line("connected");
  }

  private Line begin(Inbox inbox) {
    inbox.beginRound();
    roundStart = Usage.now();
    return new Line("begun");
  }

  private Line send(Line line) throws InterruptedException {
    if (load == null) {
      throw new IllegalStateException("node " + task.id() + " has nobody to send to");
    }
    return load.run(new Limit(line.number("messages"), line.number("ns")));
  }

  private static Line rest(long durationNs) throws InterruptedException {
    Usage before = Usage.ofLiveThreads();
    TimeUnit.NANOSECONDS.sleep(durationNs);
    return Usage.ofLiveThreads().minus(before).toLine();
  }

  /** The transport of a node's connections and why it was chosen. */
  public static Line links(Node node) {
    Line line = new Line("links");
    for (ConnectionInfo connection : node.connections()) {
      line.with("transport", connection.transport()).with("reason", connection.reason());
    }
    return line;
  }
}
