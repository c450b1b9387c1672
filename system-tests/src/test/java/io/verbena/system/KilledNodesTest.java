// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.Node;
import io.verbena.PeerLostException;
import io.verbena.testkit.Await;
import io.verbena.testkit.Pattern;
import io.verbena.testkit.SharedMemoryDirectory;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Blob;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.Threads;
import io.verbena.testkit.Threads.Crew;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Node processes that are killed while others talk to them. Node 1 lives here and survives, node 2
 * is killed again and again, node 3 is not to notice. More rounds: {@code -Dverbena.rounds=200};
 * the same moments again: {@code -Dverbena.seed=N}.
 */
@Tag("timing")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class KilledNodesTest {

  private static final int ROUNDS = Integer.getInteger("verbena.rounds", 4);

  private final long seed = Long.getLong("verbena.seed", System.nanoTime());
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicLong nextFromTwo = new AtomicLong();
  private final AtomicLong fromTwo = new AtomicLong();

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "rdma", "auto"})
  void survivorsOfAKillGoOnAndAreToldWhatBecameOfTheirRequests(String transport) {
    try (SharedMemoryDirectory directory = SharedMemoryDirectory.create()) {
      Topology topology = Topology.of(transport, 3, directory.path().toString());
      try (ChildNode three = ChildNode.start(topology.task("answer", 3));
          Node one = Node.open(topology.config(1).set("link.timeout", "1s").build())) {
        listen(one);
        three.await("ready");
        AtomicInteger undisturbed = new AtomicInteger();
        Crew steady = new Crew().start(() -> askThree(one, undisturbed));
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS; round++) {
          killOnce(topology, one, random);
          check(transport, round, one, three);
        }
        stop.set(true);
        steady.join();
        assertTrue(undisturbed.get() > ROUNDS, "node 3 answered " + undisturbed + " requests");
        check(transport, ROUNDS, one, three);
        three.end();
      }
      Node.open(topology.config(2).build()).close(); // sweeps what the killed have left
      directory.assertNoFiles();
    }
  }

  private void killOnce(Topology topology, Node one, SplittableRandom random) {
    nextFromTwo.set(0);
    try (ChildNode two = ChildNode.start(topology.task("pester", 2))) {
      two.await("ready");
      askNewLife(one, two);
      AtomicBoolean killed = new AtomicBoolean();
      Crew crew =
          new Crew().start(() -> pester(one, killed)).start(() -> askUntilLost(one, killed));
      long before = fromTwo.get();
      Await.until("messages of " + two, () -> fromTwo.get() > before);
      Await.idle(Duration.ofMillis(random.nextInt(1, 120)));
      killed.set(true);
      two.kill();
      crew.join();
    }
  }

  private static void askNewLife(Node one, ChildNode two) {
    try {
      ask(one, 2);
    } catch (PeerLostException e) {
      // The session with the former life may end at this moment, and with it what is asked in it.
      if (!String.valueOf(e.getMessage()).contains("did not come back within link.timeout")) {
        throw new AssertionError("of " + two + "\n" + one.metrics().snapshot(), e);
      }
      ask(one, 2);
    }
  }

  private void listen(Node one) {
    one.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    one.handle(
        Numbered.class,
        (message, from) -> {
          fromTwo.incrementAndGet();
          // A new life starts again at 0; within one nothing is lost, repeated or out of order.
          long due = nextFromTwo.getAndSet(message.number() + 1);
          if (message.number() != due) {
            errors.add("message " + message.number() + " of node 2 where " + due + " was due");
          }
        });
    one.handle(
        Blob.class,
        (blob, from) -> {
          String difference = Pattern.difference(blob.number(), blob.data());
          if (!difference.isEmpty()) {
            errors.add(difference);
          }
        });
  }

  /** Streams to node 2 until it is told that node 2 is gone. */
  private static Void pester(Node one, AtomicBoolean killed) {
    byte[] data = Pattern.bytes(1, 2000);
    try {
      for (int i = 0; ; i++) {
        one.send(2, i % 50 == 0 ? new Blob(1, data) : new Numbered(1, i));
      }
    } catch (PeerLostException e) {
      assertTrue(killed.get(), "lost before it was killed: " + e);
    }
    return null;
  }

  /** Keeps requests open until one fails; each has an outcome. */
  private static Void askUntilLost(Node one, AtomicBoolean killed) throws Exception {
    while (true) {
      Throwable failure = askTwice(one);
      if (failure != null) {
        assertTrue(
            killed.get() && failure instanceof PeerLostException,
            "killed " + killed + ", failure " + failure);
        return null;
      }
    }
  }

  private static @Nullable Throwable askTwice(Node one) throws Exception {
    List<CompletableFuture<Answer>> open = new ArrayList<>();
    Throwable failure = null;
    try {
      open.add(one.requestAsync(2, new Ask(1), Answer.class));
      open.add(one.requestAsync(2, new Ask(1), Answer.class));
    } catch (PeerLostException e) {
      failure = e;
    }
    for (CompletableFuture<Answer> reply : open) {
      try {
        assertEquals(1, reply.get(Await.LONG.toSeconds(), TimeUnit.SECONDS).number());
      } catch (ExecutionException e) {
        failure = e.getCause();
      }
    }
    return failure;
  }

  private Void askThree(Node one, AtomicInteger count) {
    while (!stop.get()) {
      try {
        ask(one, 3);
        count.incrementAndGet();
      } catch (RuntimeException | AssertionError e) {
        errors.add("node 3: " + e);
        return null;
      }
      Await.idle(Duration.ofMillis(2));
    }
    return null;
  }

  private static void ask(Node from, int to) {
    try {
      assertEquals(7, from.request(to, new Ask(7), Answer.class, Await.LONG).number());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private void check(String transport, int round, Node one, ChildNode three) {
    if (!errors.isEmpty() || !three.isAlive()) {
      throw new AssertionError(
          transport
              + ", round "
              + round
              + ", repeat with -Dverbena.seed="
              + seed
              + ": "
              + errors
              + "\n"
              + one.connections()
              + "\n"
              + one.metrics().snapshot()
              + "\n"
              + three
              + "\n"
              + Threads.dump());
    }
  }
}
