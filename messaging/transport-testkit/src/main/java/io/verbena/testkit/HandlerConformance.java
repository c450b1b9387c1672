// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.Execution;
import io.verbena.Node;
import io.verbena.RemoteHandlerException;
import io.verbena.UnknownPeerException;
import io.verbena.UnregisteredTypeException;
import io.verbena.testkit.FaultyCodec.Fault;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Extra;
import io.verbena.testkit.TestMessages.Faulty;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.TestMessages.Unheard;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What handlers do, good and bad, concerns their own message only. */
public abstract class HandlerConformance extends ConformanceCase {

  /** For a transport. */
  protected HandlerConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  @Test
  void nextMessageArrivesAfterAHandlerThrew() {
    nextMessageArrivesAfterThrowing(Execution.inline());
  }

  @Test
  void nextMessageArrivesAfterAPoolHandlerThrew() {
    nextMessageArrivesAfterThrowing(Execution.pool(1));
  }

  @Test
  void nextMessageArrivesAfterAVirtualHandlerThrew() {
    nextMessageArrivesAfterThrowing(Execution.virtual());
  }

  private void nextMessageArrivesAfterThrowing(Execution execution) {
    AtomicInteger came = new AtomicInteger();
    open(2)
        .handle(
            Numbered.class,
            execution,
            (message, from) -> {
              came.incrementAndGet();
              switch ((int) message.number() % 4) {
                case 0 -> throw new IllegalStateException("on purpose");
                case 2 -> throw new StackOverflowError("on purpose");
                default -> {}
              }
            });
    Node sender = open(1);
    for (int i = 0; i < 1000; i++) {
      sender.send(2, new Numbered(0, i));
    }
    await("all messages", () -> came.get() == 1000);
    await("all failures", () -> cluster().events(2).handlerFailures().size() == 500);
  }

  @Test
  void requesterIsToldWhatItsHandlerThrew() {
    open(2)
        .handle(
            Ask.class,
            (ask, from) -> {
              throw new java.io.IOException("the disk of " + ask.number() + " is gone");
            });
    Node sender = open(1);
    RemoteHandlerException failure =
        assertThrows(
            RemoteHandlerException.class,
            () -> sender.request(2, new Ask(41), Answer.class, Await.LONG));
    assertTrue(String.valueOf(failure.getMessage()).contains("the disk of 41 is gone"));
  }

  @Test
  void messageWithoutAHandlerIsReportedAndTheNextOneArrives() {
    AtomicInteger came = new AtomicInteger();
    open(2).handle(Numbered.class, (message, from) -> came.incrementAndGet());
    Node sender = open(1);
    sender.send(2, new Unheard(1));
    sender.send(2, new Numbered(0, 1));
    await("the message after it", () -> came.get() == 1);
    await("the report", () -> cluster().events(2).handlerFailures().size() == 1);
  }

  @Test
  void requestWithoutAHandlerFailsAtOnce() {
    open(2);
    Node sender = open(1);
    assertThrows(
        RemoteHandlerException.class,
        () -> sender.request(2, new Unheard(1), Answer.class, Await.LONG));
  }

  @Test
  void typeThatIsNotRegisteredIsRefusedWhereItIsSent() {
    open(2);
    Node sender = open(1);
    assertThrows(UnregisteredTypeException.class, () -> sender.send(2, new Extra(1)));
  }

  private static final Set<Fault> WRITTEN =
      EnumSet.of(
          Fault.NONE,
          Fault.SECOND_WRITE_THROWS,
          Fault.READ_FINDS_NO_HEAP,
          Fault.READ_OVERFLOWS_THE_STACK);

  @Test
  void messageWhoseSerializerThrowsOrLiesIsNeverSeenAndTheNextOneArrives() {
    AtomicInteger came = new AtomicInteger();
    open(2).handle(Faulty.class, (message, from) -> came.addAndGet(message.words()));
    Node sender = open(1);
    int words = 0;
    for (int size : new int[] {1, 10, 1_000, 100_000}) {
      for (Fault fault : Fault.values()) {
        if (!WRITTEN.contains(fault)) {
          assertThrows(Throwable.class, () -> sender.send(2, new Faulty(fault, size)));
          assertThrows(Throwable.class, () -> sender.trySend(2, new Faulty(fault, size)));
        }
        sender.send(2, new Faulty(Fault.NONE, size));
        words += size;
      }
    }
    int all = words;
    await("what was written right", () -> came.get() == all);
    assertEquals(List.of(), cluster().events(1).lostReasons());
  }

  @Test
  void lastHandlerRegisteredIsTheOne() throws InterruptedException {
    Node node = open(2);
    node.handle(Ask.class, (ask, from) -> from.reply(new Answer(1)));
    Node sender = open(1);
    assertEquals(1, sender.request(2, new Ask(0), Answer.class, Await.LONG).number());
    node.handle(Ask.class, Execution.pool(2), (ask, from) -> from.reply(new Answer(2)));
    assertEquals(2, sender.request(2, new Ask(0), Answer.class, Await.LONG).number());
  }

  @Test
  void virtualHandlersMayBlockAndRequest() {
    Node two = open(2);
    two.handle(
        Ask.class,
        Execution.virtual(),
        (ask, from) ->
            from.reply(two.request(3, new Ask(ask.number() * 2), Answer.class, Await.LONG)));
    open(3).handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number() + 1)));
    Node one = open(1);
    List<CompletableFuture<Answer>> replies =
        IntStream.range(0, 200)
            .mapToObj(i -> one.requestAsync(2, new Ask(i), Answer.class))
            .toList();
    for (int i = 0; i < replies.size(); i++) {
      assertEquals(2L * i + 1, replies.get(i).join().number());
    }
  }

  @Test
  void poolHandlersMayBlockAndRequest() throws InterruptedException {
    Node two = open(2);
    two.handle(
        Ask.class,
        Execution.pool(2),
        (ask, from) -> from.reply(two.request(3, ask, Answer.class, Await.LONG)));
    open(3).handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number() + 1)));
    assertEquals(6, open(1).request(2, new Ask(5), Answer.class, Await.LONG).number());
  }

  @Test
  void inlineHandlerThatWouldWaitForItselfIsTold() throws InterruptedException {
    Node two = open(2);
    two.handle(Ask.class, (ask, from) -> from.reply(two.request(1, ask, Answer.class, Await.LONG)));
    Node one = open(1);
    RemoteHandlerException failure =
        assertThrows(
            RemoteHandlerException.class,
            () -> one.request(2, new Ask(1), Answer.class, Await.LONG));
    assertTrue(String.valueOf(failure.getMessage()).contains("IllegalStateException"));
  }

  @Test
  void sendToSelfArrives() throws InterruptedException {
    Node node = open(1);
    Series series = new Series();
    node.handle(Numbered.class, (message, from) -> series.take(message));
    node.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    for (int i = 0; i < 20_000; i++) {
      node.send(1, new Numbered(0, i));
    }
    series.awaitAll(1, 20_000);
    assertEquals(9, node.request(1, new Ask(9), Answer.class, Await.LONG).number());
  }

  @Test
  void sendToAnUnknownNodeIsRefused() {
    Node node = open(1);
    assertThrows(UnknownPeerException.class, () -> node.send(999, new Numbered(0, 0)));
    assertThrows(UnknownPeerException.class, () -> node.send(-1, new Numbered(0, 0)));
    assertThrows(UnknownPeerException.class, () -> node.send(70_000, new Numbered(0, 0)));
    assertThrows(UnknownPeerException.class, () -> node.trySend(999, new Numbered(0, 0)));
    assertThrows(
        UnknownPeerException.class, () -> node.requestAsync(999, new Ask(0), Answer.class));
    assertThrows(UnknownPeerException.class, () -> node.sender(999));
  }

  @Test
  void handlersSeeWhoSent() {
    AtomicInteger sum = new AtomicInteger();
    open(2).handle(Numbered.class, (message, from) -> sum.addAndGet(from.nodeId()));
    open(1).send(2, new Numbered(0, 0));
    open(3).send(2, new Numbered(0, 0));
    await("both", () -> sum.get() == 4);
  }
}
