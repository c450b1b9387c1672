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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Handlers that ask the very node whose request they handle, while queues are full. */
public abstract class CallbackConformance extends ConformanceCase {

  private static final int REQUESTS = 300;

  /** For a transport. */
  protected CallbackConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  static Stream<Arguments> executions() {
    return Stream.of(
        Arguments.of(Execution.pool(2), Execution.inline()),
        Arguments.of(Execution.pool(2), Execution.pool(1)),
        Arguments.of(Execution.virtual(), Execution.inline()),
        Arguments.of(Execution.virtual(), Execution.virtual()));
  }

  /** A node of whose messages only a few may wait for handlers. */
  private Node openNarrow(int id) {
    return cluster()
        .open(id, builder -> builder.set("pool.queue.messages", "4").set("request.timeout", "50s"));
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
      answers.add(node.request(peer, new Ask(i), Answer.class));
    }
    return answers;
  }

  private static void assertAllAnswered(List<CompletableFuture<Answer>> answers) throws Exception {
    for (int i = 0; i < REQUESTS; i++) {
      assertEquals(i + 1, answers.get(i).get(50, TimeUnit.SECONDS).number());
    }
  }

  @ParameterizedTest
  @MethodSource("executions")
  void areAnsweredThoughTheQueueIsFull(Execution asks, Execution numbers) throws Exception {
    Node one = openNarrow(1);
    Node two = openNarrow(2);
    callBack(one, asks, numbers);
    callBack(two, asks, numbers);
    assertAllAnswered(ask(one, 2));
  }

  @ParameterizedTest
  @MethodSource("executions")
  void areAnsweredThoughTheQueuesOfBothAreFull(Execution asks, Execution numbers) throws Exception {
    Node one = openNarrow(1);
    Node two = openNarrow(2);
    callBack(one, asks, numbers);
    callBack(two, asks, numbers);
    List<CompletableFuture<Answer>> ofOne = ask(one, 2);
    List<CompletableFuture<Answer>> ofTwo = ask(two, 1);
    assertAllAnswered(ofOne);
    assertAllAnswered(ofTwo);
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
