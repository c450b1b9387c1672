// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.Node;
import io.verbena.bench.control.Line;
import io.verbena.bench.plan.Limit;
import java.util.List;

/** Messages without answers: every thread sends to every destination in turn. */
final class OneWayLoad implements Load {

  private static final int TURN_BYTES = 16 * 1024;

  private final List<Integer> destinations;
  private final MessageSource[][] sources; // by thread and destination
  private final long[][] sent; // by destination and thread
  private final int turn;
  private final SendingThreads threads;

  OneWayLoad(Node node, NodeTask task) {
    this.destinations = task.topology().destinationsOf(task.id());
    this.sources = new MessageSource[task.threads()][destinations.size()];
    this.sent = new long[destinations.size()][task.threads()];
    this.threads = new SendingThreads(task.threads());
    this.turn = Math.clamp(TURN_BYTES / task.sizeBytes(), 1, 256);
    for (int thread = 0; thread < task.threads(); thread++) {
      for (int i = 0; i < destinations.size(); i++) {
        sources[thread][i] = MessageSource.open(node, task, destinations.get(i), thread);
      }
    }
  }

  @Override
  public Line run(Limit limit) throws InterruptedException {
    long endNs = limit.nanos() == 0 ? Long.MAX_VALUE : System.nanoTime() + limit.nanos();
    threads.run(thread -> send(thread, limit.messagesOf(thread, sources.length), endNs));
    Line report = new Line("sent");
    for (int i = 0; i < destinations.size(); i++) {
      report.with("to" + destinations.get(i), sent[i]);
    }
    return report;
  }

  private void send(int thread, long messages, long endNs) {
    MessageSource[] mine = sources[thread];
    long left = messages;
    while (left > 0 && System.nanoTime() < endNs) {
      for (int i = 0; i < mine.length && left > 0; i++) {
        int count = (int) Math.min(left, turn);
        mine[i].send(sent[i][thread], count);
        sent[i][thread] += count;
        left -= count;
      }
    }
  }

  @Override
  public void close() {
    threads.close();
    for (MessageSource[] ofThread : sources) {
      for (MessageSource source : ofThread) {
        source.close();
      }
    }
  }
}
