// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.Execution;
import io.verbena.Node;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Numbered;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Handlers that ask the very node whose request they handle, while queues are full. */
public abstract class CallbackConformance extends ConformanceCase {

  private static final int REQUESTS = 300;

  /** For a transport. */
  protected CallbackConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  /** A node of whose messages only a few may wait for handlers. */
  private Node openNarrow(int id) {
    return cluster().open(id, builder -> builder.set("pool.queue.messages", "4"));
  }

  /** Answers an ask with what the asking node says to a number. */
  private static void callBack(Node node, Execution asks, Execution numbers) {
    node.handle(Numbered.class, numbers, (message, from) -> from.reply(answer(message)));
    node.handle(
        Ask.class,
        asks,
        (ask, from) ->
            from.reply(
                node.request(
                    from.nodeId(), new Numbered(0, ask.number()), Answer.class, Await.LONG)));
  }

  private static Answer answer(Numbered message) {
    return new Answer(message.number() + 1);
  }

  private static List<CompletableFuture<Answer>> ask(Node node, int peer) {
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      answers.add(node.requestAsync(peer, new Ask(i), Answer.class));
    }
    return answers;
  }

  private static void assertAllAnswered(List<CompletableFuture<Answer>> answers) throws Exception {
    for (int i = 0; i < answers.size(); i++) {
      assertEquals(i + 1, answers.get(i).get(Await.LONG.toSeconds(), TimeUnit.SECONDS).number());
    }
  }

  private void assertAnswered(Execution asks, Execution numbers, boolean bothWays)
      throws Exception {
    Node one = openNarrow(1);
    Node two = openNarrow(2);
    callBack(one, asks, numbers);
    callBack(two, asks, numbers);
    List<CompletableFuture<Answer>> ofOne = ask(one, 2);
    List<CompletableFuture<Answer>> ofTwo = bothWays ? ask(two, 1) : List.of();
    assertAllAnswered(ofOne);
    assertAllAnswered(ofTwo);
  }

  @Test
  void ofAPoolAreAnsweredInline() throws Exception {
    assertAnswered(Execution.pool(2), Execution.inline(), false);
  }

  @Test
  void ofAPoolAreAnsweredByAPool() throws Exception {
    assertAnswered(Execution.pool(2), Execution.pool(1), false);
  }

  @Test
  void ofVirtualThreadsAreAnsweredByVirtualThreads() throws Exception {
    assertAnswered(Execution.virtual(), Execution.virtual(), false);
  }

  @Test
  void ofPoolsBothWaysAreAnsweredInline() throws Exception {
    assertAnswered(Execution.pool(2), Execution.inline(), true);
  }

  @Test
  void ofPoolsBothWaysAreAnsweredByPools() throws Exception {
    assertAnswered(Execution.pool(2), Execution.pool(1), true);
  }

  @Test
  void ofVirtualThreadsBothWaysAreAnsweredByVirtualThreads() throws Exception {
    assertAnswered(Execution.virtual(), Execution.virtual(), true);
  }

  /** The replies to a node's own requests come although its handlers take no message. */
  @Test
  void repliesPassMessagesThatWait() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Node one = openNarrow(1);
    one.handle(Numbered.class, Execution.pool(1), (message, from) -> go.await());
    Node two = openNarrow(2);
    two.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    for (int i = 0; i < 100; i++) {
      two.send(1, new Numbered(2, i));
    }
    try {
      assertEquals(7, one.request(2, new Ask(7), Answer.class, Await.LONG).number());
    } finally {
      go.countDown();
    }
  }
}
