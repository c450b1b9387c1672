// SPDX-License-Identifier: Apache-2.0
package io.verbena.nodefabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.VerbenaException;
import io.verbena.fabric.FabricException;
import io.verbena.fabric.Link;
import io.verbena.fabric.Region;
import io.verbena.fabric.Remote;
import io.verbena.testkit.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes and their fabrics are closed in every order under threads that send messages and move
 * bytes. More rounds: {@code -Dverbena.rounds=1000}; the same orders: {@code -Dverbena.seed=N}.
 */
@Tag("timing")
@Timeout(1200)
class ClosingTest {

  private static final int ROUNDS = Integer.getInteger("verbena.rounds", 5);
  private static final long SEED = Long.getLong("verbena.seed", System.nanoTime());

  @ParameterizedTest
  @ValueSource(strings = {"rdma", "tcp"})
  void anyOrderUnderLoad(String transport) throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      try {
        closeUnderLoad(transport, random);
      } catch (Throwable e) {
        throw new AssertionError("round " + round + ", -Dverbena.seed=" + SEED, e);
      }
    }
    assertThat(Threads.ofVerbena()).isEmpty();
  }

  private static void closeUnderLoad(String transport, Random random) throws Exception {
    Pair nodes = new Pair(transport, transport);
    Region mine = nodes.here().allocate(Pair.BYTES);
    Region theirs = nodes.there().allocate(Pair.BYTES);
    nodes.serve(theirs);
    Remote remote = Remote.of(nodes.ask());
    Link link = nodes.here().link(2, Pair.LONG);
    List<AutoCloseable> all =
        new ArrayList<>(
            List.of(nodes.one, nodes.two, nodes.here(), nodes.there(), mine, theirs, remote));
    Collections.shuffle(all, random);
    CountDownLatch moving = new CountDownLatch(1);
    CountDownLatch asking = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> crew = new ArrayList<>();
      crew.add(threads.submit(untilClosed(moving, () -> move(link, mine, remote))));
      crew.add(threads.submit(untilClosed(asking, nodes::ask)));
      moving.await();
      asking.await();
      crew.add(threads.submit(() -> closeAll(all.subList(0, 3))));
      closeAll(all.subList(3, all.size()));
      for (Future<?> one : crew) {
        one.get();
      }
    }
  }

  private static Callable<?> untilClosed(CountDownLatch busy, Callable<?> work) {
    return () -> {
      try {
        while (true) {
          work.call();
          busy.countDown();
        }
      } catch (FabricException | VerbenaException e) {
        return null; // something was closed
      } finally {
        busy.countDown();
      }
    };
  }

  private static Object move(Link link, Region mine, Remote remote) {
    var put = link.put(mine, 0, remote, 0, Pair.BYTES);
    var add = link.fetchAdd(remote, 8, 1);
    Pair.get(put);
    return Pair.get(add);
  }

  private static Void closeAll(List<AutoCloseable> some) throws Exception {
    for (AutoCloseable one : some) {
      one.close();
    }
    return null;
  }
}
