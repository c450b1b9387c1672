// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.Execution;
import io.verbena.Node;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A program whose virtual threads compute, on all the threads that the JVM has for them: no other
 * one gets its turn before one of these ends. What a node does by itself goes on.
 */
public abstract class BusyProcessConformance extends ConformanceCase {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final List<Thread> computing = new ArrayList<>();
  private volatile boolean isOver;

  /** For a transport. */
  protected BusyProcessConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  @BeforeEach
  final void compute() throws InterruptedException {
    int carriers = Runtime.getRuntime().availableProcessors();
    CountDownLatch begun = new CountDownLatch(carriers);
    for (int i = 0; i < carriers; i++) {
      computing.add(Thread.startVirtualThread(() -> computeUntilOver(begun)));
    }
    assertTrue(begun.await(Await.LONG.toMillis(), TimeUnit.MILLISECONDS), "they compute");
  }

  private void computeUntilOver(CountDownLatch begun) {
    begun.countDown();
    while (!isOver) {
      Thread.onSpinWait();
    }
  }

  @AfterEach
  final void end() throws InterruptedException {
    isOver = true;
    for (Thread thread : computing) {
      thread.join();
    }
  }

  @Test
  void nodesConnectAnswerAndNoticeEachOthersEnd() throws InterruptedException {
    Node one = open(1);
    Node two = build(2);
    two.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    two.start();
    assertEquals(new Answer(7), one.request(2, new Ask(7), Answer.class, PATIENCE));
    cluster().drop(2);
    await("node 1 lost its peer", () -> one.connections().isEmpty());
    Node again = build(2);
    again.handle(Ask.class, (ask, from) -> from.reply(new Answer(-ask.number())));
    again.start();
    assertEquals(new Answer(-7), one.request(2, new Ask(7), Answer.class, PATIENCE));
  }

  @Test
  void aCutLinkIsMadeAnew() throws InterruptedException {
    Node one = open(1);
    Node two = build(2);
    two.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    two.start();
    assertEquals(new Answer(7), one.request(2, new Ask(7), Answer.class, PATIENCE));
    cluster().cut(1, 2);
    assertEquals(new Answer(8), one.request(2, new Ask(8), Answer.class, PATIENCE));
  }

  /** What waits for a handler is given up by the node's own means. */
  @Test
  void aNodeClosesThoughAHandlerIsStuckAndMessagesWait() throws InterruptedException {
    CountDownLatch isStuck = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Node two = build(2);
    two.handle(
        Ask.class,
        Execution.pool(1),
        (ask, from) -> {
          isStuck.countDown();
          mayEnd.await();
        });
    two.start();
    Node one = open(1);
    one.send(2, new Ask(1));
    assertTrue(isStuck.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS), "it has begun");
    one.send(2, new Ask(2));
    Thread closing = Thread.ofPlatform().start(() -> two.close(Duration.ofMillis(50)));
    assertTrue(closing.join(PATIENCE), "the node is closed");
    mayEnd.countDown();
  }
}
