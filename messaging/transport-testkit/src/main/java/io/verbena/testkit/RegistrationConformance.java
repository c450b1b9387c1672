// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.Execution;
import io.verbena.Node;
import io.verbena.RemoteHandlerException;
import io.verbena.Sender;
import io.verbena.UnregisteredTypeException;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Extra;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.TestMessages.Unheard;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Handlers come and go, for one type or for all others, and see records or bytes. */
public abstract class RegistrationConformance extends ConformanceCase {

  private static final int VIEWS = 2_000;

  private final Queue<String> heard = new ConcurrentLinkedQueue<>();

  /** For a transport. */
  protected RegistrationConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  @Test
  void whatHasNoHandlerOfItsOwnGoesToThoseForAllOthers() {
    Node two = build(2);
    two.handle(Numbered.class, (message, from) -> heard.add("own " + message.number()));
    two.handleOthers(
        Execution.pool(1),
        (message, from) -> {
          heard.add("other " + message);
          if (from.isRequest()) {
            from.reply(new Answer(5));
          }
        });
    two.handleOtherViews(
        Execution.inline(),
        (typeId, segment, offset, length, from) -> heard.add("view " + typeId + ", " + length));
    two.start();
    Node one = open(1);
    one.send(2, new Numbered(0, 1));
    one.send(2, new Unheard(2));
    sendView(one, 24);
    assertEquals(5, ask(one));
    await("four messages", () -> heard.size() == 4);
    assertEquals(
        Set.of("own 1", "other " + new Unheard(2), "view 7, 24", "other " + new Ask(1)),
        Set.copyOf(heard));
  }

  private static void sendView(Node from, int length) {
    try (Sender lane = from.sender(2)) {
      lane.claim(TestMessages.VIEW, length);
      lane.commit();
    }
  }

  private static long ask(Node from) {
    try {
      return from.request(2, new Ask(1), Answer.class, Await.LONG).number();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void bytesOfRecordsGoToTheHandlerOfOtherViewsWhereThereIsNone() {
    Node two = build(2);
    two.handleOtherViews(
        Execution.virtual(),
        (typeId, segment, offset, length, from) -> {
          heard.add(typeId + ": " + segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset));
          if (from.isRequest()) {
            from.reply(new Answer(6));
          }
        });
    two.start();
    assertEquals(6, ask(open(1)));
    assertEquals(List.of("3: 1"), List.copyOf(heard));
  }

  @Test
  void removedHandlerIsReplacedByThoseForAllOthersOrByNone() {
    Node two = build(2);
    two.handle(Ask.class, (ask, from) -> from.reply(new Answer(1)));
    two.start();
    Node one = open(1);
    assertEquals(1, ask(one));
    two.removeHandler(Ask.class);
    assertThrows(RemoteHandlerException.class, () -> ask(one));
    two.handleOthers((message, from) -> from.reply(new Answer(2)));
    assertEquals(2, ask(one));
    two.handle(Ask.class, Execution.pool(1), (ask, from) -> from.reply(new Answer(3)));
    assertEquals(3, ask(one));
    two.removeHandler(3); // the type's id
    assertEquals(2, ask(one));
    two.removeOtherHandlers();
    assertThrows(RemoteHandlerException.class, () -> ask(one));
    two.removeHandler(Ask.class); // there is none any more
    assertThrows(UnregisteredTypeException.class, () -> two.removeHandler(Extra.class));
    assertThrows(UnregisteredTypeException.class, () -> two.removeHandler(77));
  }

  @Test
  void viewsInAPoolAreCopiesThatMayBeKept() {
    viewsAreCopies(Execution.pool(2));
  }

  @Test
  void viewsInVirtualThreadsAreCopiesThatMayBeKept() {
    viewsAreCopies(Execution.virtual());
  }

  private void viewsAreCopies(Execution execution) {
    Queue<MemorySegment> kept = new ConcurrentLinkedQueue<>();
    Set<String> wrong = ConcurrentHashMap.newKeySet();
    Node two = build(2);
    two.handleView(
        TestMessages.VIEW,
        execution,
        (segment, offset, length, from) -> {
          if (offset != 0 || length != 8 + segment.get(ValueLayout.JAVA_LONG, 0) % 8) {
            wrong.add("offset " + offset + ", length " + length);
          }
          kept.add(segment);
        });
    two.start();
    try (Sender lane = open(1).sender(2)) {
      for (long i = 0; i < VIEWS; i++) {
        long at = lane.claim(TestMessages.VIEW, (int) (8 + i % 8));
        lane.segment().set(ValueLayout.JAVA_LONG, at, i);
        lane.commit();
      }
    }
    await("all views", () -> kept.size() == VIEWS);
    Set<Long> numbers = ConcurrentHashMap.newKeySet();
    kept.forEach(segment -> numbers.add(segment.get(ValueLayout.JAVA_LONG, 0)));
    assertEquals(VIEWS, numbers.size());
    assertTrue(wrong.isEmpty(), wrong::toString);
  }
}
