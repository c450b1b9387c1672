// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.Node;
import io.verbena.Origin;
import io.verbena.RequestTimeoutException;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Blob;
import io.verbena.testkit.Threads.Crew;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * A request's time-out bounds all of it: connecting, waiting for room, waiting for the reply. What
 * is over is not sent, and takes no room in the table of requests.
 */
public abstract class TimeLimitConformance extends ConformanceCase {

  private static final Duration SHORT = Duration.ofMillis(50);
  private static final int ABSENT = 5;
  private static final int REQUESTS_MAX = 64;

  /** For a transport. */
  protected TimeLimitConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  // ---------------------------------------------------------------- connecting

  /** The test's own limit ends it long before connecting would be given up. */
  private Node openPatient() {
    return cluster().open(1, builder -> builder.set("connect.timeout", "10m"));
  }

  @Test
  void timeoutBoundsTheWaitForAConnection() {
    Node node = openPatient();
    RequestTimeoutException failure =
        assertThrows(
            RequestTimeoutException.class,
            () -> node.request(ABSENT, new Ask(1), Answer.class, SHORT));
    assertTrue(
        String.valueOf(failure.getMessage())
            .startsWith("no reply from node 5 within 50 ms: the request was not sent, "),
        failure::getMessage);
  }

  @Test
  void asynchronousRequestWaitsNoLongerForAConnectionThanItsTimeout() {
    CompletableFuture<Answer> reply =
        openPatient().requestAsync(ABSENT, new Ask(1), Answer.class, SHORT);
    assertTimedOut(reply);
  }

  @Test
  void interruptEndsTheWaitForAConnection() {
    Node node = openPatient();
    interruptedWhileWaiting(
        () -> node.request(ABSENT, new Ask(1), Answer.class, Await.LONG), node, false);
  }

  // ---------------------------------------------------------------- room

  @Test
  void timeoutBoundsTheWaitForRoomAndTheRequestIsNotSent() {
    Full full = new Full();
    for (Record question : List.of(new Ask(-1), new Blob(-1, new byte[3 * SlowPeer.LANE_BYTES]))) {
      assertThrows(
          RequestTimeoutException.class,
          () -> full.sender.request(2, question, Answer.class, SHORT));
      assertTimedOut(full.sender.requestAsync(2, question, Answer.class, SHORT));
    }
    full.assertNothingElseArrives();
  }

  @Test
  void interruptEndsTheWaitForRoomAndTheRequestIsNotSent() {
    Full full = new Full();
    for (Record question : List.of(new Ask(-1), new Blob(-1, new byte[3 * SlowPeer.LANE_BYTES]))) {
      interruptedWhileWaiting(
          () -> full.sender.request(2, question, Answer.class, Await.LONG), full.sender, true);
    }
    full.assertNothingElseArrives();
  }

  @Test
  void interruptedAsynchronousRequestIsNotSentAndItsFutureSaysWhy() {
    Full full = new Full();
    AtomicReference<CompletableFuture<Answer>> reply = new AtomicReference<>();
    AtomicReference<Thread> waiting = new AtomicReference<>();
    Crew crew =
        new Crew()
            .start(
                () -> {
                  waiting.set(Thread.currentThread());
                  reply.set(full.sender.requestAsync(2, new Ask(-1), Answer.class, Await.LONG));
                  assertTrue(Thread.interrupted(), "the thread is not interrupted any more");
                  return null;
                });
    interruptOnceItWaits(waiting, full.sender, true);
    crew.join();
    CompletableFuture<Answer> future = Objects.requireNonNull(reply.get());
    CompletionException failure = assertThrows(CompletionException.class, future::join);
    assertInstanceOf(InterruptedException.class, failure.getCause());
    full.assertNothingElseArrives();
  }

  /** Node 2, whose handler waits, and node 1, whose lane to it is full. */
  private final class Full {
    private final SlowPeer slow = new SlowPeer(cluster());
    private final AtomicLong asked = new AtomicLong();
    private final Node sender = SlowPeer.openSmall(cluster(), 1);
    private final long accepted;

    Full() {
      slow.node().handle(Ask.class, (ask, from) -> asked.incrementAndGet());
      accepted = slow.fill(sender);
    }

    void assertNothingElseArrives() {
      slow.letGo();
      sender.send(2, SlowPeer.ballast());
      slow.awaitHandled(accepted + 1);
      assertEquals(0, slow.unwanted() + asked.get(), "requests arrived that were over");
      assertEquals(accepted + 1, counter(sender, "messages.sent"));
    }
  }

  // ---------------------------------------------------------------- giving up

  @Test
  void futureTimesOutByItsOwnLimit() {
    Queue<Origin> kept = new ConcurrentLinkedQueue<>();
    Node node = silentPeerOf1(kept);
    var first = node.requestAsync(2, new Ask(0), Answer.class, Await.LONG);
    await("the first, for which the nodes have connected", () -> kept.size() == 1);
    assertTimedOut(node.requestAsync(2, new Ask(1), Answer.class, SHORT));
    CompletableFuture<Answer> patient =
        node.requestAsync(2, new Ask(2), Answer.class, Duration.ofDays(1_000_000));
    await("all", () -> kept.size() == 3);
    kept.forEach(origin -> origin.reply(new Answer(3)));
    assertEquals(3, patient.join().number());
    assertEquals(3, first.join().number());
  }

  @Test
  void requestWithoutTimeIsNotSent() {
    Queue<Origin> kept = new ConcurrentLinkedQueue<>();
    Node node = silentPeerOf1(kept);
    assertTimedOut(node.requestAsync(2, new Ask(1), Answer.class, Duration.ZERO));
    assertThrows(
        RequestTimeoutException.class,
        () -> node.request(2, new Ask(1), Answer.class, Duration.ofMillis(-1)));
    assertEquals(0, counter(node, "messages.sent"));
  }

  @Test
  void whoeverCompletesTheFutureFreesItsSlotAtOnce() {
    Queue<Origin> kept = new ConcurrentLinkedQueue<>();
    Node node = silentPeerOf1(kept);
    List<Consumer<CompletableFuture<Answer>>> ways =
        List.of(
            reply -> reply.cancel(false),
            reply -> reply.complete(new Answer(7)),
            reply -> reply.completeExceptionally(new IllegalStateException("not needed")),
            reply -> reply.completeAsync(() -> new Answer(7)).join(),
            reply -> reply.obtrudeValue(new Answer(7)),
            reply -> reply.obtrudeException(new IllegalStateException("not needed")),
            TimeLimitConformance::timeOutByItself,
            reply -> reply.completeOnTimeout(new Answer(8), 1, TimeUnit.MILLISECONDS).join());
    for (Consumer<CompletableFuture<Answer>> way : ways) {
      List<CompletableFuture<Answer>> replies = new ArrayList<>();
      for (int i = 0; i < REQUESTS_MAX; i++) {
        replies.add(node.requestAsync(2, new Ask(i), Answer.class, Duration.ofHours(1)));
      }
      replies.forEach(way);
    }
    long asked = (long) ways.size() * REQUESTS_MAX;
    await("all", () -> kept.size() == asked);
    kept.forEach(origin -> origin.reply(new Answer(9)));
    await("late replies", () -> counter(node, "replies.late") == asked);
  }

  private static void timeOutByItself(CompletableFuture<Answer> reply) {
    CompletionException failure =
        assertThrows(
            CompletionException.class, () -> reply.orTimeout(1, TimeUnit.MILLISECONDS).join());
    assertInstanceOf(TimeoutException.class, failure.getCause());
  }

  private Node silentPeerOf1(Queue<Origin> kept) {
    open(2).handle(Ask.class, (ask, from) -> kept.add(from.retain()));
    return cluster()
        .open(1, builder -> builder.set("requests.max", Integer.toString(REQUESTS_MAX)));
  }

  // ---------------------------------------------------------------- helpers

  private static void assertTimedOut(CompletableFuture<?> reply) {
    CompletionException failure = assertThrows(CompletionException.class, reply::join);
    assertInstanceOf(RequestTimeoutException.class, failure.getCause());
  }

  private interface Request {
    Answer send() throws InterruptedException;
  }

  private static void interruptedWhileWaiting(Request request, Node node, boolean forRoom) {
    AtomicReference<Thread> waiting = new AtomicReference<>();
    Crew crew =
        new Crew()
            .start(
                () -> {
                  waiting.set(Thread.currentThread());
                  assertThrows(InterruptedException.class, request::send);
                  return null;
                });
    interruptOnceItWaits(waiting, node, forRoom);
    crew.join();
  }

  private static void interruptOnceItWaits(
      AtomicReference<Thread> waiting, Node node, boolean forRoom) {
    long before = waits(node);
    await(
        "a waiting thread",
        () -> {
          Thread thread = waiting.get();
          return thread != null
              && (forRoom ? waits(node) > before : thread.getState() == Thread.State.TIMED_WAITING);
        });
    Objects.requireNonNull(waiting.get()).interrupt();
  }

  private static long waits(Node node) {
    return counter(node, "backpressure.waits");
  }

  private static long counter(Node node, String name) {
    return Objects.requireNonNull(node.metrics().snapshot().get(name));
  }
}
