// SPDX-License-Identifier: Apache-2.0
package io.verbena.examples;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.launch.Job;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Ranks of a job greet the next one: {@code verbena-run -n 4 -- java … Ranks}. */
public final class Ranks {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Ranks() {}

  /** A request. */
  public record Hello(int rank) {}

  /** Its reply. */
  public record Welcome(String text) {}

  /** Runs one rank; alone it is the only one, and greets itself. */
  public static void main(String[] arguments) throws InterruptedException {
    MessageTypes types = MessageTypes.builder().add(1, Hello.class).add(2, Welcome.class).build();
    try (Job job = Job.open();
        Node node = job.build(NodeConfig.builder().types(types))) {
      String name = "rank " + job.rank() + " of " + job.size();
      CountDownLatch asked = new CountDownLatch(1);
      node.handle(
          Hello.class,
          (hello, from) -> {
            from.reply(new Welcome(name + " greets " + hello.rank()));
            asked.countDown();
          });
      job.start(node);
      int next = (job.rank() + 1) % job.size();
      Welcome welcome = node.request(next, new Hello(job.rank()), Welcome.class, PATIENCE);
      System.out.println(welcome.text());
      asked.await(); // the node is to be there until the rank before has its answer
    }
  }
}
