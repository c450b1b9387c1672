// SPDX-License-Identifier: Apache-2.0
package io.verbena.examples;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbena.fabric.Access;
import io.verbena.fabric.ChannelReader;
import io.verbena.fabric.ChannelWriter;
import io.verbena.fabric.Fabric;
import io.verbena.fabric.Region;
import io.verbena.fabric.RegionKey;
import io.verbena.fabric.Remote;
import io.verbena.launch.Job;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * Ranks in a ring: each sends the next one a key of its memory through a channel, and puts its
 * number into the memory of the one before: {@code verbena-run -n 4 -- java … RankRing}.
 */
public final class RankRing {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private RankRing() {}

  /** Runs one rank of two or more. */
  public static void main(String[] arguments) throws InterruptedException {
    try (Job job = Job.open();
        Fabric fabric = job.fabric(more -> more.channels(2));
        Region memory = fabric.allocate(4096);
        ChannelReader reader = fabric.openReader(0, 4096);
        ChannelWriter writer = fabric.openWriter((job.rank() + 1) % job.size(), 0, PATIENCE)) {
      CountDownLatch told = new CountDownLatch(1);
      fabric.onSignal( // comes behind the bytes
          (peer, size) -> {
            int number = memory.memory().get(JAVA_INT, 0);
            System.out.println(
                "rank %d of %d has %d from rank %d".formatted(job.rank(), size, number, peer));
            told.countDown();
          });
      writer.push(memory.share(0, 4, Access.PUT).toBytes(), PATIENCE);
      byte[] key = new byte[RegionKey.BYTES];
      reader.pop(key, PATIENCE);
      try (Remote before = Remote.of(RegionKey.of(key))) {
        memory.memory().set(JAVA_INT, 4, job.rank());
        fabric
            .link(before.owner(), PATIENCE)
            .putSignal(memory, 4, before, 0, 4, job.size())
            .exceptionally(gone -> null) // who has it may go before it can say so
            .join();
      }
      told.await();
    }
  }
}
