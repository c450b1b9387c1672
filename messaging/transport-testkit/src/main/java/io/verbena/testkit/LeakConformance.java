// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.Node;
import io.verbena.Sender;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Blob;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A closed node leaves no thread, file or descriptor behind. */
public abstract class LeakConformance extends ConformanceCase {

  /** For a transport. */
  protected LeakConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  @Test
  void closedNodesLeaveNothingBehind() throws InterruptedException {
    Assumptions.assumeTrue(OpenFiles.areVisible(), "this system does not show open files");
    useAndClose(); // what a JVM opens once and keeps
    Map<String, Integer> before = OpenFiles.count();
    for (int round = 0; round < 5; round++) {
      useAndClose();
    }
    await("no threads: " + Threads.ofVerbena(), () -> Threads.ofVerbena().isEmpty());
    Await.until(
        Await.LONG,
        () -> "descriptors before " + before + ", now " + OpenFiles.count(),
        () -> isNoMoreThan(before));
    await(
        "no files: " + cluster().transport().leftovers(),
        () -> cluster().transport().leftovers().isEmpty());
  }

  @Test
  void refusedAndCutConnectionsLeaveNothingBehind() throws InterruptedException {
    Assumptions.assumeTrue(OpenFiles.areVisible(), "this system does not show open files");
    Node two = open(2);
    two.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    Node one = open(1);
    askAndCut(one, 3);
    Map<String, Integer> before = countWhileLinked(one);
    askAndCut(one, 20);
    Await.until(
        Await.LONG,
        () -> "descriptors before " + before + ", now " + OpenFiles.count(),
        () -> isNoMoreThan(before));
  }

  private void askAndCut(Node one, int times) throws InterruptedException {
    for (int i = 0; i < times; i++) {
      one.request(2, new Ask(i), Answer.class, Await.LONG);
      cluster().cut(1, 2);
    }
    ask(one);
  }

  /** Between two answers over one link: while links come and go there may be fewer than later. */
  private Map<String, Integer> countWhileLinked(Node one) throws InterruptedException {
    while (true) {
      ask(one);
      long links = resumed(one);
      Map<String, Integer> count = OpenFiles.count();
      ask(one);
      if (resumed(one) == links) {
        return count;
      }
    }
  }

  private static long resumed(Node node) {
    return node.metrics().snapshot().getOrDefault("connections.resumed", 0L);
  }

  private static void ask(Node one) throws InterruptedException {
    one.request(2, new Ask(0), Answer.class, Await.LONG);
  }

  private void useAndClose() throws InterruptedException {
    Node two = open(2);
    two.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    two.handle(Blob.class, (blob, from) -> {});
    Node one = open(1);
    assertEquals(1, one.request(2, new Ask(1), Answer.class, Await.LONG).number());
    try (Sender lane = one.sender(2)) {
      lane.send(new Blob(1, new byte[1000]));
    }
    one.send(2, new Blob(2, new byte[5_000_000]));
    cluster().cut(1, 2);
    assertEquals(2, one.request(2, new Ask(2), Answer.class, Await.LONG).number());
    for (Node node : List.of(one, two)) {
      node.close();
    }
  }

  /** Fewer is fine: something from before the count may have been closed since. */
  private static boolean isNoMoreThan(Map<String, Integer> before) {
    return OpenFiles.count().entrySet().stream()
        .allMatch(kind -> kind.getValue() <= before.getOrDefault(kind.getKey(), 0));
  }
}
