// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.Node;
import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import io.verbena.bench.message.Greeting;
import io.verbena.bench.plan.Limit;
import io.verbena.bench.verify.Tally;
import io.verbena.bench.verify.Window;
import java.time.Duration;
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
 *   <li>{@code meet} → {@code received}: exchanges greetings with some nodes
 *   <li>{@code memory} → {@code memory}: what the process takes
 * </ol>
 */
public final class NodeSession implements NodeConversation.Workload {

  /** Of greetings, between two nodes at a time: enough that a lane is used and read again. */
  private static final int GREETINGS = 3;

  private static final Duration GREETING_TIMEOUT = Duration.ofSeconds(30);

  private final NodeTask task;
  private final Node node;
  private final Inbox inbox;
  private Usage roundStart = new Usage(0, 0);
  private @Nullable Load load;

  private NodeSession(NodeTask task, Node node) {
    this.task = task;
    this.node = node;
    this.inbox = new Inbox(task);
    inbox.install(node);
    node.handle(Greeting.class, (greeting, from) -> from.reply(greeting));
  }

  /** Opens a node and does what it is told until the conversation ends; failures are reported. */
  public static void run(NodeTask task, LineChannel channel) {
    NodeConversation.run(task::config, channel, node -> new NodeSession(task, node));
  }

  @Override
  public Line answer(Line line) throws InterruptedException {
    return switch (line.word()) {
      case "connect" -> connect();
      case "begin" -> begin();
      case "send" -> send(line);
      case "expect" -> inbox.endRound(line);
      case "end" -> Usage.now().minus(roundStart).toLine();
      case "rest" -> Usage.whileSleeping(line.number("ns")).toLine();
      case "meet" -> meet(line.numbers("nodes"));
      case "memory" -> MemoryUse.of(node).toLine();
      default -> throw NodeConversation.unknown(line);
    };
  }

  @Override
  public void close() {
    if (load != null) {
      load.close();
    }
  }

  private Line connect() {
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

  private Line begin() {
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

  private Line meet(long[] nodes) throws InterruptedException {
    long wrong = 0;
    for (int i = 0; i < GREETINGS; i++) {
      for (long to : nodes) {
        Greeting greeting = new Greeting(to * GREETINGS + i);
        Greeting answer = node.request((int) to, greeting, Greeting.class, GREETING_TIMEOUT);
        wrong += answer.equals(greeting) ? 0 : 1;
      }
    }
    return Reports.received(
        new Tally((long) GREETINGS * nodes.length, 0, 0, wrong, 0), Window.EMPTY);
  }
}
