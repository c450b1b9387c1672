// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.Execution;
import io.verbena.MessageHandler;
import io.verbena.Node;
import io.verbena.RemoteHandlerException;
import io.verbena.UnknownPeerException;
import io.verbena.VerbenaException;
import io.verbena.testkit.FaultyCodec.Fault;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Faulty;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** An answer that cannot be given, or passed on, is an error that the requester hears at once. */
public abstract class AnswerConformance extends ConformanceCase {

  private static final List<Execution> EXECUTIONS =
      List.of(Execution.inline(), Execution.pool(1), Execution.virtual());

  private static final Faulty NO_HEAP = new Faulty(Fault.READ_FINDS_NO_HEAP, 1);
  private static final Faulty NO_STACK = new Faulty(Fault.READ_OVERFLOWS_THE_STACK, 1);

  /** Not registered at any node. */
  record Stranger(int number) {}

  /** For a transport. */
  protected AnswerConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  @Test
  void forwardToAnUnknownNodeIsTheRequestersError() {
    failsAtOnce((ask, from) -> from.forward(999, ask), "node 999");
  }

  @Test
  void forwardOfATypeThatIsNotRegisteredIsTheRequestersError() {
    failsAtOnce((ask, from) -> from.forward(3, new Stranger(1)), "Stranger");
  }

  @Test
  void forwardOfAMessageThatCannotBeWrittenIsTheRequestersError() {
    open(3);
    failsAtOnce((ask, from) -> from.forward(3, new Faulty(Fault.WRITE_THROWS, 1)), "on purpose");
    failsAtOnce(
        (ask, from) -> from.forward(3, new Faulty(Fault.WRITE_OVERFLOWS_THE_STACK, 1)),
        "on purpose");
  }

  @Test
  void replyThatCannotBeWrittenIsTheRequestersError() {
    failsAtOnce((ask, from) -> from.reply(new Stranger(1)), "Stranger");
    failsAtOnce((ask, from) -> from.reply(new Faulty(Fault.WRITE_THROWS, 1)), "on purpose");
    failsAtOnce(
        (ask, from) -> from.reply(new Faulty(Fault.WRITE_OVERFLOWS_THE_STACK, 1)), "on purpose");
  }

  @Test
  void exceptionThatCannotBePutIntoWordsIsTheRequestersErrorByItsClass() {
    failsAtOnce(
        (ask, from) -> {
          throw new Mute();
        },
        Mute.class.getName());
  }

  private static final class Mute extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new AssertionError("no words, on purpose");
    }
  }

  /** Its record does not fit into the heap of the node that reads it, or its codec is wrong. */
  @Test
  void requestThatCannotBeReadIsTheRequestersError() {
    requestThatCannotBeRead(Fault.READ_FINDS_NO_HEAP, "no heap");
    requestThatCannotBeRead(Fault.READ_OVERFLOWS_THE_STACK, "no stack");
  }

  private void requestThatCannotBeRead(Fault fault, String text) {
    for (Execution execution : EXECUTIONS) {
      open(2).handle(Faulty.class, execution, (ask, from) -> from.reply(new Answer(ask.words())));
      Node one = open(1);
      RemoteHandlerException failure =
          assertThrows(
              RemoteHandlerException.class,
              () -> one.request(2, new Faulty(fault, 1), Answer.class, Await.LONG));
      assertTrue(String.valueOf(failure.getMessage()).contains(text), failure::getMessage);
      one.send(2, new Faulty(fault, 1));
      await("both to be told", () -> cluster().events(2).handlerFailures().size() == 2);
      assertEquals(List.of(), cluster().events(1).lostReasons());
      cluster().drop(1);
      cluster().drop(2);
    }
  }

  @Test
  void replyThatCannotBeReadIsTheRequestersErrorAndTheLinkStays() throws InterruptedException {
    Node two = open(2);
    two.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    two.handle(Faulty.class, (ask, from) -> from.reply(ask.words() == 2 ? NO_HEAP : NO_STACK));
    Node one = open(1);
    for (int words : new int[] {2, 3}) {
      Throwable failure =
          assertThrows(
              VerbenaException.class,
              () -> one.request(2, new Faulty(Fault.NONE, words), Faulty.class, Await.LONG));
      String text = String.valueOf(failure.getMessage());
      assertTrue(text.contains("could not be read") && text.contains("on purpose"), text);
    }
    assertEquals(7, one.request(2, new Ask(7), Answer.class, Await.LONG).number());
    assertEquals(List.of(), cluster().events(1).lostReasons());
  }

  private void failsAtOnce(MessageHandler<Ask> handler, String text) {
    for (Execution execution : EXECUTIONS) {
      open(2).handle(Ask.class, execution, handler);
      assertFails(open(1), text);
      cluster().drop(1);
      cluster().drop(2);
    }
  }

  private static void assertFails(Node asking, String text) {
    RemoteHandlerException failure =
        assertThrows(
            RemoteHandlerException.class,
            () -> asking.request(2, new Ask(1), Answer.class, Await.LONG));
    assertTrue(String.valueOf(failure.getMessage()).contains(text), failure::getMessage);
  }

  @Test
  void forwardThatFailedLeavesRoomForAnotherAnswer() throws InterruptedException {
    for (Execution execution : EXECUTIONS) {
      open(2)
          .handle(
              Ask.class,
              execution,
              (ask, from) -> {
                assertThrows(UnknownPeerException.class, () -> from.forward(999, ask));
                from.reply(new Answer(ask.number() + 1));
              });
      assertEquals(8, open(1).request(2, new Ask(7), Answer.class, Await.LONG).number());
      cluster().drop(1);
      cluster().drop(2);
    }
  }

  /** Node 3 gives an answer that node 2 cannot pass on. */
  @Test
  void answerThatCannotBePassedBackIsTheRequestersError() {
    open(3).handle(Ask.class, (ask, from) -> from.reply(new Faulty(Fault.SECOND_WRITE_THROWS, 1)));
    open(2).handle(Ask.class, (ask, from) -> from.forward(3, ask));
    assertFails(open(1), "write fails on purpose");
  }
}
