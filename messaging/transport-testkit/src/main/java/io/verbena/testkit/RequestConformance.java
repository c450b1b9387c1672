// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.Execution;
import io.verbena.Node;
import io.verbena.Origin;
import io.verbena.RemoteHandlerException;
import io.verbena.RequestTimeoutException;
import io.verbena.UnexpectedReplyException;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.Threads.Crew;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Requests: each one has exactly one outcome, and it is its own. */
public abstract class RequestConformance extends ConformanceCase {

  private static final Duration SHORT = Duration.ofMillis(50);

  /** For a transport. */
  protected RequestConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  @Test
  void everyThreadGetsItsOwnReplies() {
    answering(2);
    Node node = open(1);
    Crew crew = new Crew();
    for (int thread = 0; thread < 4; thread++) {
      int first = thread * 1_000_000;
      crew.start(
          () -> {
            for (int i = first; i < first + 2_000; i++) {
              assertEquals(i, node.request(2, new Ask(i), Answer.class, Await.LONG).number());
            }
            return null;
          });
    }
    crew.join();
  }

  @Test
  void manyOpenRequestsGetTheirOwnReplies() {
    answering(2);
    Node node = open(1);
    List<CompletableFuture<Answer>> replies = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      replies.add(node.requestAsync(2, new Ask(i), Answer.class));
      if (i >= 1_000) {
        assertEquals(i - 1_000, replies.get(i - 1_000).join().number());
      }
    }
    for (int i = 9_000; i < 10_000; i++) {
      assertEquals(i, replies.get(i).join().number());
    }
  }

  @Test
  void requestsGoBothWaysAtOnce() {
    Node one = answering(1);
    Node two = answering(2);
    new Crew().start(() -> askALot(one, 2)).start(() -> askALot(two, 1)).join();
  }

  private static Void askALot(Node node, int to) throws InterruptedException {
    for (int i = 0; i < 3_000; i++) {
      assertEquals(i, node.request(to, new Ask(i), Answer.class, Await.LONG).number());
    }
    return null;
  }

  @Test
  void replyErrorReachesTheRequester() {
    open(2).handle(Ask.class, (ask, from) -> from.replyError("not today"));
    Node node = open(1);
    RemoteHandlerException failure =
        assertThrows(
            RemoteHandlerException.class,
            () -> node.request(2, new Ask(1), Answer.class, Await.LONG));
    assertTrue(String.valueOf(failure.getMessage()).contains("not today"));
  }

  @Test
  void secondAnswerIsRefused() throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>(new Throwable("nothing"));
    open(2)
        .handle(
            Ask.class,
            (ask, from) -> {
              from.reply(new Answer(1));
              try {
                from.reply(new Answer(2));
              } catch (IllegalStateException e) {
                thrown.set(e);
              }
            });
    assertEquals(1, open(1).request(2, new Ask(1), Answer.class, Await.LONG).number());
    await("refusal", () -> thrown.get() instanceof IllegalStateException);
  }

  @Test
  void replyToAMessageThatIsNoRequestIsRefused() {
    open(2).handle(Numbered.class, (message, from) -> from.reply(new Answer(1)));
    open(1).send(2, new Numbered(0, 0));
    await("refusal", () -> cluster().events(2).handlerFailures().size() == 1);
    assertInstanceOf(IllegalStateException.class, cluster().events(2).handlerFailures().getFirst());
  }

  @Test
  void retainedOriginMayReplyLaterFromAnotherThread() throws InterruptedException {
    Queue<Origin> waiting = new ConcurrentLinkedQueue<>();
    open(2).handle(Ask.class, (ask, from) -> waiting.add(from.retain()));
    Node node = open(1);
    CompletableFuture<Answer> first = node.requestAsync(2, new Ask(1), Answer.class);
    CompletableFuture<Answer> second = node.requestAsync(2, new Ask(2), Answer.class);
    await("both", () -> waiting.size() == 2);
    waiting.remove().reply(new Answer(10));
    waiting.remove().reply(new Answer(20));
    assertEquals(10, first.join().number());
    assertEquals(20, second.join().number());
  }

  @Test
  void forwardedRequestIsAnsweredByTheThirdNode() throws InterruptedException {
    open(2).handle(Ask.class, (ask, from) -> from.forward(3, new Ask(ask.number() + 1)));
    open(3).handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number() * 10)));
    Node one = open(1);
    cluster().node(2).request(3, new Ask(0), Answer.class, Await.LONG);
    for (int i = 0; i < 100; i++) {
      Answer answer = one.request(2, new Ask(i), Answer.class, Await.LONG);
      assertEquals((i + 1) * 10L, answer.number());
    }
  }

  @Test
  void forwardConnectsIfNeededAndPassesErrorsBack() {
    open(2).handle(Ask.class, (ask, from) -> from.forward(3, ask));
    open(3).handle(Ask.class, (ask, from) -> from.replyError("third says no"));
    Node one = open(1);
    RemoteHandlerException failure =
        assertThrows(
            RemoteHandlerException.class,
            () -> one.request(2, new Ask(1), Answer.class, Await.LONG));
    assertTrue(String.valueOf(failure.getMessage()).contains("third says no"));
  }

  @Test
  void lateReplyMeetsNoOtherRequest() throws InterruptedException {
    Queue<Origin> late = new ConcurrentLinkedQueue<>();
    open(2)
        .handle(
            Ask.class,
            (ask, from) -> {
              if (ask.number() < 0) {
                late.add(from.retain());
              } else {
                from.reply(new Answer(ask.number()));
              }
            });
    Node node = open(1);
    while (late.size() < 10) { // one whose time is over too soon does not arrive
      assertThrows(
          RequestTimeoutException.class, () -> node.request(2, new Ask(-1), Answer.class, SHORT));
    }
    for (int i = 0; i < 1_000; i++) {
      Origin origin = late.poll();
      if (origin != null) {
        origin.reply(new Answer(-1));
      }
      assertEquals(i, node.request(2, new Ask(i), Answer.class, Await.LONG).number());
    }
  }

  /** The waiting thread and the node's clock both look at the time. */
  @Test
  void timeoutIsToldTheSameWhoeverNoticesIt() {
    CountDownLatch connected = new CountDownLatch(1);
    open(2)
        .handle(
            Ask.class,
            (ask, from) -> {
              from.retain();
              connected.countDown();
            });
    Node node = open(1);
    var unanswered = node.requestAsync(2, new Ask(0), Answer.class, Await.LONG);
    Await.until("the nodes are connected", () -> connected.getCount() == 0);
    for (int i = 0; i < 200; i++) {
      RequestTimeoutException failure =
          assertThrows(
              RequestTimeoutException.class,
              () -> node.request(2, new Ask(1), Answer.class, Duration.ofMillis(3)));
      assertEquals("no reply from node 2 within 3 ms", failure.getMessage());
    }
    unanswered.cancel(false);
  }

  @Test
  void futureTimesOutByTheConfiguredLimit() {
    open(2).handle(Ask.class, (ask, from) -> from.retain());
    Node node = cluster().open(1, builder -> builder.set("request.timeout", "100ms"));
    CompletableFuture<Answer> reply = node.requestAsync(2, new Ask(1), Answer.class);
    CompletionException failure = assertThrows(CompletionException.class, reply::join);
    assertInstanceOf(RequestTimeoutException.class, failure.getCause());
  }

  @Test
  void cancelledRequestIsForgottenAndItsLateReplyDropped() throws InterruptedException {
    Queue<Origin> waiting = new ConcurrentLinkedQueue<>();
    open(2).handle(Ask.class, (ask, from) -> waiting.add(from.retain()));
    Node node = open(1);
    CompletableFuture<Answer> cancelled = node.requestAsync(2, new Ask(1), Answer.class);
    CompletableFuture<Answer> kept = node.requestAsync(2, new Ask(2), Answer.class);
    await("both", () -> waiting.size() == 2);
    assertTrue(cancelled.cancel(false));
    waiting.remove().reply(new Answer(1));
    waiting.remove().reply(new Answer(2));
    assertEquals(2, kept.join().number());
    assertTrue(cancelled.isCancelled());
  }

  @Test
  void replyOfAnotherTypeIsAnError() {
    open(2).handle(Ask.class, (ask, from) -> from.reply(new Numbered(1, 1)));
    Node node = open(1);
    assertThrows(
        UnexpectedReplyException.class,
        () -> node.request(2, new Ask(1), Answer.class, Await.LONG));
  }

  @Test
  void interruptedRequestIsForgotten() {
    open(2).handle(Ask.class, (ask, from) -> from.retain());
    Node node = open(1);
    AtomicReference<Thread> waiting = new AtomicReference<>();
    Crew crew =
        new Crew()
            .start(
                () -> {
                  waiting.set(Thread.currentThread());
                  assertThrows(
                      InterruptedException.class,
                      () -> node.request(2, new Ask(1), Answer.class, Await.LONG));
                  return null;
                });
    await("the request", () -> waiting.get() != null && !node.connections().isEmpty());
    java.util.Objects.requireNonNull(waiting.get()).interrupt();
    crew.join();
  }

  @Test
  void repliesComeFromPoolsAndVirtualThreads() throws InterruptedException {
    Node two = open(2);
    Node one = open(1);
    for (Execution execution : List.of(Execution.pool(3), Execution.virtual())) {
      two.handle(Ask.class, execution, (ask, from) -> from.reply(new Answer(ask.number())));
      askALot(one, 2);
    }
  }

  private Node answering(int id) {
    Node node = open(id);
    node.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    return node;
  }
}
