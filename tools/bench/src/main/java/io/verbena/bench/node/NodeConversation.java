// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.ConnectionInfo;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.bench.control.Conversation;
import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The life of a node that is measured: it is built, has its handlers, starts, says {@code ready}
 * and where it listens, answers commands until its conversation ends, and closes. Two are answered
 * here: {@code peers} tells where the others listen, {@code links} asks which transport was chosen,
 * and why. All other commands are the workload's.
 */
public final class NodeConversation {

  /** What a workload does with a node. */
  public interface Workload extends AutoCloseable {

    /** Carries a command out and reports. */
    Line answer(Line command) throws InterruptedException;

    @Override
    void close();
  }

  private NodeConversation() {}

  /**
   * Opens a node and does what it is told until the conversation ends; failures are reported.
   *
   * @param config may fail, as opening may
   * @param begin makes the workload of a node that is built and not started: it registers handlers
   */
  public static void run(
      Supplier<NodeConfig> config, LineChannel channel, Function<Node, Workload> begin) {
    try (Node node = Node.build(config.get())) {
      converseOrReport(node, channel, begin);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      channel.write(failure(e));
    }
  }

  /**
   * Reports a failure before the node closes: then others fail, too, and it is the first to be
   * heard.
   */
  private static void converseOrReport(
      Node node, LineChannel channel, Function<Node, Workload> begin) throws InterruptedException {
    try (Workload workload = begin.apply(node)) {
      node.start();
      channel.write(PeerAddresses.ready(node));
      for (Line line = channel.read(); line != LineChannel.END; line = channel.read()) {
        channel.write(answer(line, node, workload));
      }
    } catch (RuntimeException | Error e) {
      channel.write(failure(e));
    }
  }

  private static Line answer(Line line, Node node, Workload workload) throws InterruptedException {
    return switch (line.word()) {
      case "peers" -> PeerAddresses.meet(node, line);
      case "links" -> links(node);
      default -> workload.answer(line);
    };
  }

  /** A workload was told what it does not know. */
  public static IllegalArgumentException unknown(Line command) {
    return new IllegalArgumentException("unknown command: " + command);
  }

  /** The report of a node that cannot go on. A message of ours says it all, others say where. */
  private static Line failure(Throwable e) {
    StackTraceElement[] trace = e.getStackTrace();
    boolean isOurs = e.getClass().getPackageName().startsWith("io.verbena");
    String reason = isOurs ? String.valueOf(e.getMessage()) : e.toString();
    String where = isOurs || trace.length == 0 ? "" : " at " + trace[0];
    return Conversation.failure(reason + where);
  }

  private static Line links(Node node) {
    Line line = new Line("links");
    for (ConnectionInfo connection : node.connections()) {
      line.with("transport", connection.transport()).with("reason", connection.reason());
    }
    return line;
  }
}
