// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.testkit.Threads;
import io.verbena.testkit.Threads.Crew;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Everything is closed in every order under threads that use it: what must not happen is that the
 * JVM dies. More rounds: {@code -Dverbena.rounds=1000}; the same orders: {@code -Dverbena.seed=N}.
 */
@Tag("timing")
@Timeout(1200)
class ClosingTest {

  private static final int ROUNDS = Integer.getInteger("verbena.rounds", 25);
  private static final int BYTES = 1 << 16;
  private static final long SEED = Long.getLong("verbena.seed", System.nanoTime());

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anyOrderUnderLoad(boolean polled) throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      try {
        closeUnderLoad(random, polled);
      } catch (Throwable e) {
        throw new AssertionError("round " + round + ", -Dverbena.seed=" + SEED, e);
      }
    }
    assertThat(Threads.ofVerbena()).isEmpty();
  }

  private static void closeUnderLoad(Random random, boolean polled) throws Exception {
    Two nodes = new Two();
    Region mine = nodes.one.allocate(BYTES);
    Region theirs = nodes.two.allocate(BYTES);
    Remote remote = Remote.of(theirs.share(0, BYTES, Access.values()));
    List<CountDownLatch> allBusy = new ArrayList<>(); // one each: a thread counts down many times
    Crew crew = new Crew();
    for (int thread = 0; thread < 3; thread++) {
      int number = thread;
      CountDownLatch busy = new CountDownLatch(1);
      allBusy.add(busy);
      crew.start(
          () -> {
            if (polled) {
              poll(nodes, mine, remote, number, busy);
            } else {
              await(nodes, mine, remote, busy);
            }
            return null;
          });
    }
    for (CountDownLatch busy : allBusy) {
      busy.await();
    }
    List<AutoCloseable> all = new ArrayList<>(List.of(nodes.one, nodes.two, mine, theirs, remote));
    all.addAll(List.of(nodes.one, mine)); // twice
    Collections.shuffle(all, random);
    crew.start(() -> closeAll(all.subList(0, 3)));
    closeAll(all.subList(3, all.size()));
    crew.join();
  }

  private static Void closeAll(List<AutoCloseable> some) throws Exception {
    for (AutoCloseable one : some) {
      one.close();
    }
    return null;
  }

  /** Until something is closed. */
  private static void await(Two nodes, Region mine, Remote remote, CountDownLatch busy) {
    List<CompletableFuture<?>> open = new ArrayList<>();
    try {
      for (int i = 0; ; i++) {
        Link link = nodes.link();
        open.add(link.put(mine, 0, remote, 0, BYTES));
        open.add(link.fetchAdd(remote, 8, 1));
        open.add(link.get(mine, 0, remote, 0, 64));
        if (i >= 5) {
          busy.countDown();
          Two.get(open.removeFirst());
        }
      }
    } catch (FabricException e) {
      busy.countDown();
    }
    for (CompletableFuture<?> future : open) {
      try {
        Two.get(future);
      } catch (FabricException e) {
        // any end will do, but there is one
      }
    }
  }

  /** One thread posts, one polls, one waits. */
  private static void poll(Two nodes, Region mine, Remote remote, int number, CountDownLatch busy) {
    Completions completions = new Completions(8);
    try {
      Operations operations = nodes.link().operations(8);
      while (true) {
        switch (number) {
          case 0 -> {
            if (operations.room() > 1) {
              operations.put(mine, 0, remote, 0, BYTES, 1).fetchAdd(mine, 8, remote, 8, 1, 2);
            }
            operations.post();
          }
          case 1 -> {
            for (int i = 0; i < nodes.one.poll(completions); i++) {
              if (!completions.isDone(i)) {
                return;
              }
            }
          }
          default -> {
            nodes.one.arm();
            nodes.one.await(Duration.ofMillis(1));
          }
        }
        busy.countDown();
        if (mine.handle().isClosed() || remote.handle().isClosed()) {
          return;
        }
      }
    } catch (FabricException e) {
      // that is how it ends
    } finally {
      busy.countDown();
    }
  }
}
