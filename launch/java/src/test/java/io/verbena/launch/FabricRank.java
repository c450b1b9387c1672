// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbena.fabric.Access;
import io.verbena.fabric.ChannelOutcome;
import io.verbena.fabric.ChannelReader;
import io.verbena.fabric.ChannelWriter;
import io.verbena.fabric.Fabric;
import io.verbena.fabric.Region;
import io.verbena.fabric.RegionKey;
import io.verbena.fabric.Remote;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/**
 * A rank of {@link JobFabricTest}: {@code exchange} writes into the memory of every other rank, and
 * passes a number around the ring; {@code mourn} waits at a channel with the last rank, which kills
 * itself.
 */
public final class FabricRank {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int RING = 4096;
  private static final int ROUNDS = 100;

  private final Job job;
  private final Fabric fabric;
  private final Map<Integer, ChannelReader> readers = new TreeMap<>(); // by who writes
  private final Map<Integer, ChannelWriter> writers = new TreeMap<>();

  private FabricRank(Job job, Fabric fabric) {
    this.job = job;
    this.fabric = fabric;
  }

  /** Runs the rank. */
  public static void main(String[] arguments) throws Exception {
    try (Job job = Job.open();
        Fabric fabric =
            job.fabric(
                more ->
                    more.channels(16)
                        .heartbeat(Duration.ofSeconds(300))
                        .deadAfter(Duration.ofSeconds(1000)))) {
      FabricRank rank = new FabricRank(job, fabric);
      if (arguments[0].equals("exchange")) {
        rank.connect();
        rank.writeToAll();
        rank.passAround();
        rank.part();
      } else {
        rank.mourn();
      }
    }
  }

  private void connect() {
    for (int other = 0; other < job.size(); other++) {
      if (other != job.rank()) {
        readers.put(other, fabric.openReader(other, RING));
      }
    }
    for (int other : readers.keySet()) {
      writers.put(other, fabric.openWriter(other, job.rank(), PATIENCE));
    }
  }

  /** Each has a place in everybody's memory. */
  private void writeToAll() throws InterruptedException {
    try (Region memory = fabric.allocate(RING)) {
      CountDownLatch missing = new CountDownLatch(readers.size());
      fabric.onSignal((peer, value) -> missing.countDown());
      RegionKey key = memory.share(0, RING / 2, Access.PUT);
      writers.values().forEach(writer -> done(writer.push(key.toBytes(), PATIENCE)));
      memory.memory().set(JAVA_LONG, RING / 2, job.rank() + 1);
      readers.values().forEach(reader -> put(memory, reader));
      missing.await();
      long sum = 0;
      for (int other : readers.keySet()) {
        sum += memory.memory().get(JAVA_LONG, other * 8L);
      }
      System.out.println("rank " + job.rank() + " was written to: " + sum);
    }
  }

  private void put(Region memory, ChannelReader from) {
    byte[] bytes = new byte[RegionKey.BYTES];
    done(from.pop(bytes, PATIENCE));
    try (Remote remote = Remote.of(RegionKey.of(bytes))) {
      long place = job.rank() * 8L;
      fabric.link(remote.owner(), PATIENCE).putSignal(memory, RING / 2, remote, place, 8, 0).join();
    }
  }

  private void passAround() {
    ChannelReader before = readers.get((job.rank() + job.size() - 1) % job.size());
    ChannelWriter next = writers.get((job.rank() + 1) % job.size());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment number = arena.allocate(JAVA_LONG);
      for (int round = 0; round < ROUNDS; round++) {
        if (job.rank() != 0) {
          done(before.pop(number, PATIENCE));
        }
        number.set(JAVA_LONG, 0, number.get(JAVA_LONG, 0) + job.rank());
        done(next.push(number, PATIENCE));
        if (job.rank() == 0) {
          done(before.pop(number, PATIENCE));
        }
      }
      if (job.rank() == 0) {
        System.out.println("around the ring: " + number.get(JAVA_LONG, 0));
      }
    }
  }

  /** Nobody goes before all have all. */
  private void part() {
    writers.values().forEach(writer -> writer.end(PATIENCE));
    readers.values().forEach(reader -> reader.peek(PATIENCE));
  }

  private void mourn() throws Exception {
    int last = job.size() - 1;
    if (job.rank() != last) {
      try (ChannelReader reader = fabric.openReader(last, RING)) {
        done(reader.pop(new byte[1], PATIENCE));
        ChannelOutcome outcome = reader.peek(PATIENCE);
        System.out.println("rank " + job.rank() + " has " + outcome + ": " + reader.lostBecause());
      }
      return;
    }
    for (int other = 0; other < last; other++) {
      done(fabric.openWriter(other, last, PATIENCE).push(new byte[1], PATIENCE));
    }
    new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
    new CountDownLatch(1).await();
  }

  private static void done(ChannelOutcome outcome) {
    if (outcome != ChannelOutcome.DONE) {
      throw new IllegalStateException("the channel says " + outcome);
    }
  }
}
