// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.Execution;
import io.verbena.Node;
import io.verbena.Sender;
import io.verbena.TypedSender;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.Threads.Crew;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Messages of one lane arrive in the order sent, once each, however many send at once. */
public abstract class OrderConformance extends ConformanceCase {

  private static final int MESSAGES = 100_000;

  /** For a transport. */
  protected OrderConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  @Test
  void messagesOfOneThreadArriveInTheOrderSent() {
    Series series = receiver(Execution.inline());
    Node sender = open(1);
    for (int i = 0; i < MESSAGES; i++) {
      sender.send(2, new Numbered(0, i));
    }
    series.awaitAll(1, MESSAGES);
  }

  @Test
  void manyThreadsOnTheSharedLaneKeepTheirOrderEach() {
    Series series = receiver(Execution.inline());
    Node sender = open(1);
    Crew crew = new Crew();
    for (int source = 0; source < 6; source++) {
      int me = source;
      crew.start(
          () -> {
            for (int i = 0; i < MESSAGES / 4; i++) {
              sender.send(2, new Numbered(me, i));
            }
            return null;
          });
    }
    crew.join();
    series.awaitAll(6, MESSAGES / 4);
  }

  @Test
  void exclusiveLanesOfManyThreadsKeepTheirOrderEach() {
    Series series = receiver(Execution.inline());
    Node node = open(1);
    Crew crew = new Crew();
    for (int source = 0; source < 4; source++) {
      int me = source;
      crew.start(
          () -> {
            try (Sender lane = node.sender(2)) {
              for (int i = 0; i < MESSAGES / 2; i++) {
                lane.send(new Numbered(me, i));
              }
            }
            return null;
          });
    }
    crew.join();
    series.awaitAll(4, MESSAGES / 2);
  }

  @Test
  void typedSendersKeepTheOrderOfTheirLane() {
    Series series = receiver(Execution.inline());
    Node node = open(1);
    try (Sender lane = node.sender(2)) {
      TypedSender<Numbered> typed = lane.typed(Numbered.class);
      for (int i = 0; i < MESSAGES; i += 2) {
        typed.send(new Numbered(0, i));
        lane.send(new Numbered(0, i + 1));
      }
    }
    series.awaitAll(1, MESSAGES);
  }

  @Test
  void twoLanesOfOneThreadKeepTheirOrderEach() {
    Series series = receiver(Execution.inline());
    Node node = open(1);
    try (Sender lane = node.sender(2)) {
      for (int i = 0; i < MESSAGES / 2; i++) {
        lane.send(new Numbered(0, i));
        node.send(2, new Numbered(1, i));
      }
    }
    series.awaitAll(2, MESSAGES / 2);
  }

  @Test
  void severalNodesSendToOne() {
    Series series = receiver(Execution.inline());
    Crew crew = new Crew();
    for (int id = 3; id <= 5; id++) {
      Node sender = open(id);
      crew.start(
          () -> {
            for (int i = 0; i < MESSAGES / 4; i++) {
              sender.send(2, new Numbered(sender.id() - 3, i));
            }
            return null;
          });
    }
    crew.join();
    series.awaitAll(3, MESSAGES / 4);
  }

  @Test
  void bothDirectionsAtOnceKeepTheirOrder() {
    Node one = open(1);
    Node two = open(2);
    Series atOne = new Series();
    Series atTwo = new Series();
    one.handle(Numbered.class, (message, from) -> atOne.take(message));
    two.handle(Numbered.class, (message, from) -> atTwo.take(message));
    new Crew().start(() -> stream(one, 2)).start(() -> stream(two, 1)).join();
    atOne.awaitAll(1, MESSAGES);
    atTwo.awaitAll(1, MESSAGES);
  }

  @Test
  void poolsKeepTheOrderOfEachSource() {
    Series series = receiver(Execution.pool(4));
    Node three = open(3);
    Node one = open(1);
    new Crew()
        .start(() -> stream(one, 2, 0, MESSAGES / 4))
        .start(() -> stream(three, 2, 1, MESSAGES / 4))
        .join();
    series.awaitAll(2, MESSAGES / 4);
  }

  @Test
  void oneMessageToSeveralNodesReachesEach() {
    Series two = receiver(Execution.inline());
    Series three = new Series();
    open(3).handle(Numbered.class, (message, from) -> three.take(message));
    Node sender = open(1);
    for (int i = 0; i < 100; i++) {
      sender.send(java.util.List.of(2, 3), new Numbered(0, i));
    }
    two.awaitAll(1, 100);
    three.awaitAll(1, 100);
    assertEquals(2, sender.connections().size());
  }

  private Series receiver(Execution execution) {
    Series series = new Series();
    open(2).handle(Numbered.class, execution, (message, from) -> series.take(message));
    return series;
  }

  private static Void stream(Node from, int to) {
    return stream(from, to, 0, MESSAGES);
  }

  private static Void stream(Node from, int to, int source, int count) {
    for (int i = 0; i < count; i++) {
      from.send(to, new Numbered(source, i));
    }
    return null;
  }
}
