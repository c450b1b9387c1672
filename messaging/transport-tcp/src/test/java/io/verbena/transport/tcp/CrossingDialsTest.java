// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.Node;
import io.verbena.Sender;
import io.verbena.testkit.Await;
import io.verbena.testkit.Cluster;
import io.verbena.testkit.CuttingProxy;
import io.verbena.testkit.ProxiedTcp;
import io.verbena.testkit.Series;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.Threads.Crew;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two nodes dial each other at the same moment, send at once, and the wires between them are cut
 * and held back at random moments, in the handshakes above all. {@code -Dverbena.rounds=N} for a
 * long run, {@code -Dverbena.seed=N} for the same faults again.
 */
@Tag("timing")
@Timeout(value = 1, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CrossingDialsTest {

  private static final int ROUNDS = Integer.getInteger("verbena.rounds", 60);
  private static final int MESSAGES = 400;
  private static final int SOURCES = 2; // of each node: the shared lane, an exclusive one

  /** About one handshake: most cuts come in its middle or right behind it. */
  private static final int CUT_WITHIN_BYTES = 700;

  private final long seed = Long.getLong("verbena.seed", System.nanoTime());

  @Test
  void everyMessageArrivesOnceAndInOrder() {
    for (int round = 0; round < ROUNDS; round++) {
      try (Cluster cluster = new Cluster(new ProxiedTcp())) {
        round(cluster, new SplittableRandom(seed + round), "-Dverbena.seed=" + (seed + round));
      }
    }
  }

  private void round(Cluster cluster, SplittableRandom random, String again) {
    Series[] came = {new Series(), new Series()};
    open(cluster, 1, came[0]);
    open(cluster, 2, came[1]);
    Crew crew = new Crew();
    for (int from = 1; from <= 2; from++) {
      Node node = cluster.node(from);
      int to = 3 - from;
      SplittableRandom pauses = random.split();
      SplittableRandom others = random.split();
      crew.start(() -> sendShared(node, to, pauses)).start(() -> sendExclusive(node, to, others));
    }
    disturb((ProxiedTcp) cluster.transport(), random);
    try {
      crew.join();
      came[0].awaitAll(SOURCES, MESSAGES);
      came[1].awaitAll(SOURCES, MESSAGES);
      for (int id = 1; id <= 2; id++) {
        assertThat(cluster.events(id).lostReasons()).as("sessions node %d lost", id).isEmpty();
        assertThat(cluster.events(id).undelivered()).as("undelivered of node %d", id).isEmpty();
      }
    } catch (AssertionError e) {
      System.err.println("again with " + again);
      System.err.println(cluster.diagnostics());
      throw e;
    }
  }

  private static void open(Cluster cluster, int id, Series came) {
    cluster.open(id).handle(Numbered.class, (message, from) -> came.take(message));
  }

  private static Void sendShared(Node node, int to, SplittableRandom pauses) {
    for (int i = 0; i < MESSAGES; i++) {
      node.send(to, new Numbered(0, i));
      pauseNowAndThen(pauses);
    }
    return null;
  }

  private static Void sendExclusive(Node node, int to, SplittableRandom pauses) {
    try (Sender lane = node.sender(to)) {
      for (int i = 0; i < MESSAGES; i++) {
        lane.send(new Numbered(1, i));
        pauseNowAndThen(pauses);
      }
    }
    return null;
  }

  /** So that the messages are spread over the time of the faults. */
  private static void pauseNowAndThen(SplittableRandom random) {
    if (random.nextInt(20) == 0) {
      LockSupport.parkNanos(random.nextInt(2_000_000));
    }
  }

  private static void disturb(ProxiedTcp wires, SplittableRandom random) {
    List<CuttingProxy> ways = List.of(wires.proxy(1, 2), wires.proxy(2, 1));
    for (int i = 0; i < 12; i++) {
      CuttingProxy way = ways.get(random.nextInt(2));
      switch (random.nextInt(4)) {
        case 0 -> way.stall();
        case 1 -> way.flow();
        case 2 -> way.cutWithin(random, CUT_WITHIN_BYTES);
        default -> way.cut();
      }
      Await.idle(Duration.ofNanos(random.nextInt(4_000_000)));
    }
    ways.forEach(CuttingProxy::flow);
  }
}
