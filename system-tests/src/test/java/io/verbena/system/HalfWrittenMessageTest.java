// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.Node;
import io.verbena.testkit.Await;
import io.verbena.testkit.Events;
import io.verbena.testkit.Pattern;
import io.verbena.testkit.SharedMemoryDirectory;
import io.verbena.testkit.TestMessages;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Blob;
import io.verbena.testkit.TestMessages.Numbered;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A producer that dies in the middle of a message: what it had sent arrives, and nothing hangs. */
@Tag("timing")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HalfWrittenMessageTest {

  private static boolean isWhole(Blob blob) {
    return blob.data().length == NodeProcess.LARGE_BYTES
        && Pattern.difference(blob.number(), blob.data()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"shm,half", "tcp,half", "shm,half-large", "tcp,half-large"})
  void producerKilledInTheMiddleOfAMessageDoesNotWedgeItsPeer(String transport, String role)
      throws InterruptedException {
    try (SharedMemoryDirectory directory = SharedMemoryDirectory.create()) {
      Topology topology = Topology.of(transport, 2, directory.path().toString());
      AtomicInteger numbered = new AtomicInteger();
      AtomicInteger halves = new AtomicInteger();
      Events events = new Events();
      try (Node one = Node.open(topology.config(1).set("link.timeout", "500ms").build())) {
        one.addListener(events);
        one.handle(
            Numbered.class,
            (message, from) -> {
              if (numbered.incrementAndGet() == 10) {
                one.send(from.nodeId(), message); // all ten are here: it may die
              }
            });
        one.handle(
            Blob.class,
            (blob, from) -> {
              if (!isWhole(blob)) { // where cores are busy, it may have been sent before the halt
                halves.incrementAndGet();
              }
            });
        one.handleView(
            TestMessages.VIEW, (segment, offset, length, from) -> halves.incrementAndGet());
        try (ChildNode producer = ChildNode.start(topology.task(role, 2))) {
          assertEquals(9, producer.awaitExit(), () -> "" + producer);
        }
        Await.until("the ten before it, came " + numbered, () -> numbered.get() == 10);
        Await.until("the loss; " + events, () -> events.lostReasons().size() == 1);
        try (ChildNode next = ChildNode.start(topology.task("answer", 2))) {
          next.await("ready");
          Duration limit = Await.LONG;
          assertEquals(5, one.request(2, new Ask(5), Answer.class, limit).number());
          next.end();
        }
      }
      assertEquals(0, halves.get(), "half a message was delivered");
      directory.assertNoFiles();
    }
  }
}
