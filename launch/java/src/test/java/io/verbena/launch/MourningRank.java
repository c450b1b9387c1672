// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.PeerLostException;
import io.verbena.launch.RingRank.Me;
import io.verbena.launch.RingRank.Who;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;

/**
 * A rank of {@link JobTest}: asks the last one, which kills itself when all have asked. No node
 * takes another for dead by itself in less than ten minutes.
 */
public final class MourningRank {

  private static final Duration NEVER = Duration.ofMinutes(50);

  private MourningRank() {}

  /** Runs the rank. */
  public static void main(String[] arguments) throws Exception {
    MessageTypes types = MessageTypes.builder().add(1, Who.class).add(2, Me.class).build();
    NodeConfig.Builder config = NodeConfig.builder().types(types);
    config.set("connect.timeout", "10m").set("link.timeout", "50m");
    try (Job job = Job.open();
        Node node = job.build(config)) {
      int last = job.size() - 1;
      CountDownLatch unasked = new CountDownLatch(last);
      node.handle(
          Who.class,
          (who, from) -> {
            from.retain(); // an answer that never comes
            unasked.countDown();
          });
      job.start(node);
      if (job.rank() == last) {
        unasked.await();
        new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
        new CountDownLatch(1).await();
      }
      Who question = new Who(job.rank());
      try {
        node.requestAsync(last, question, Me.class, NEVER).join();
      } catch (CompletionException e) {
        System.out.println("rank " + job.rank() + " hears: " + e.getCause().getMessage());
      }
      try {
        node.send(last, question);
      } catch (PeerLostException e) {
        System.out.println("rank " + job.rank() + " cannot send: " + e.getMessage());
      }
    }
  }
}
