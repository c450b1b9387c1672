// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.Execution;
import io.verbena.Node;
import io.verbena.Origin;
import io.verbena.bench.control.Conversation;
import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import io.verbena.bench.node.PeerAddresses;
import io.verbena.bench.process.ParentProcess;
import io.verbena.cli.demo.DemoMessages.Chunk;
import io.verbena.cli.demo.DemoMessages.PageQuery;
import io.verbena.cli.demo.DemoMessages.Partial;
import io.verbena.cli.demo.DemoMessages.ProgressQuery;
import java.net.InetAddress;
import java.util.Map;

/**
 * A node process of the word count. Counts the words of the chunks it is sent, sends each word's
 * count to the node that owns the word, and gathers the counts of its own words. Then it is the far
 * side of what is measured.
 */
public final class WorkerMain {

  private final Node node;
  private final int workers;
  private final WordOwner owner = new WordOwner();

  private WorkerMain(Node node, int workers) {
    this.node = node;
    this.workers = workers;
  }

  /** Runs a worker until its parent has had enough, or is gone. */
  public static void main(String[] arguments) throws InterruptedException {
    LineChannel parent = ParentProcess.connect();
    Line task = Line.parse(arguments[0]);
    try (Node node = Node.build(DemoCluster.config(task))) {
      install(node, InetAddress.getLoopbackAddress().getHostAddress());
      node.start();
      parent.write(PeerAddresses.ready(node));
      for (Line peers = parent.read(); peers != LineChannel.END; peers = parent.read()) {
        parent.write(PeerAddresses.meet(node, peers)); // there are no other commands
      }
    } catch (RuntimeException e) {
      parent.write(Conversation.failure(e.toString()));
    }
    System.exit(0);
  }

  /**
   * Has a node that is not started count.
   *
   * @param host where a socket of the JDK's is to listen
   */
  static void install(Node node, String host) {
    new WorkerMain(node, DemoCluster.WORKERS).install();
    SpeedPeer.install(node, host);
  }

  private void install() {
    // Counting takes long and its sends may have to wait: not on the thread that receives.
    node.handle(Chunk.class, Execution.pool(1), this::count);
    node.handle(Partial.class, (partial, from) -> owner.add(partial));
    node.handle(ProgressQuery.class, (query, from) -> from.reply(owner.progress()));
    node.handle(
        PageQuery.class,
        Execution.virtual(),
        (query, from) -> from.reply(owner.page(query.page())));
  }

  private void count(Chunk chunk, Origin from) {
    if (chunk.text().hashCode() != chunk.checksum()) {
      owner.addCorrupted();
      return;
    }
    Map<String, Integer> counts = Words.count(chunk.text());
    Words.byOwner(counts, workers).forEach((to, part) -> node.send(to, partial(chunk, part)));
  }

  private static Partial partial(Chunk chunk, Map<String, Integer> part) {
    int total = part.values().stream().mapToInt(Integer::intValue).sum();
    return new Partial(chunk.number(), part, total);
  }
}
