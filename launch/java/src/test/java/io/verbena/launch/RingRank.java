// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A rank of {@link JobTest}: asks the next one for its number, and says what it has learnt. */
public final class RingRank {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private RingRank() {}

  /** A request. */
  public record Who(int asking) {}

  /** Its reply. */
  public record Me(int rank, int asked) {}

  /** Runs the rank. */
  public static void main(String[] arguments) throws InterruptedException {
    MessageTypes types = MessageTypes.builder().add(1, Who.class).add(2, Me.class).build();
    try (Job job = Job.open();
        Node node = job.build(NodeConfig.builder().types(types))) {
      CountDownLatch asked = new CountDownLatch(1);
      node.handle(
          Who.class,
          (who, from) -> {
            from.reply(new Me(job.rank(), who.asking()));
            asked.countDown();
          });
      job.start(node);
      int next = (job.rank() + 1) % job.size();
      Me me = node.request(next, new Who(job.rank()), Me.class, PATIENCE);
      System.out.println(job.rank() + " of " + job.size() + " heard " + me.rank());
      asked.await();
      if (job.rank() + 1 < job.size()) {
        job.nextEnd(PATIENCE).ifPresent(end -> System.out.println("heard of " + end));
        return;
      }
      // The answer is to arrive before this rank ends in a way that says so.
      node.close();
      System.exit(me.asked() == job.rank() ? 3 : 4);
    }
  }
}
