// SPDX-License-Identifier: Apache-2.0
package io.verbena.examples;

import io.verbena.Execution;
import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.SendResult;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Handlers that take their time: in a pool, which keeps the order of each source, and on virtual
 * threads, which may block. A sender that is faster than they are is held back, or told so.
 */
public final class SlowConsumer {

  private static final int PRODUCER = 1;
  private static final int CONSUMER = 2;
  private static final int ORDERS = 500;
  private static final int MAILS = 50;

  private SlowConsumer() {}

  /** Handled one after the other. */
  public record Order(int number, String details) {}

  /** Handled side by side. */
  public record Mail(int number) {}

  /** Runs the example. */
  public static void main(String[] arguments) throws InterruptedException {
    MessageTypes types = MessageTypes.builder().add(1, Order.class).add(2, Mail.class).build();
    CountDownLatch handled = new CountDownLatch(ORDERS + MAILS);
    AtomicInteger last = new AtomicInteger(-1);
    try (Node consumer = build(CONSUMER, PRODUCER, types);
        Node producer = build(PRODUCER, CONSUMER, types)) {
      consumer.handle(
          Order.class,
          Execution.pool(2),
          (order, from) -> {
            TimeUnit.MICROSECONDS.sleep(200);
            if (last.getAndSet(order.number()) != order.number() - 1) {
              throw new IllegalStateException("out of order: " + order.number());
            }
            handled.countDown();
          });
      consumer.handle(
          Mail.class,
          Execution.virtual(),
          (mail, from) -> {
            TimeUnit.MILLISECONDS.sleep(20);
            handled.countDown();
          });
      consumer.start();
      producer.start();

      int refusals = 0;
      for (int i = 0; i < ORDERS; i++) {
        Order order = new Order(i, "details ".repeat(500));
        // trySend says when there is no room; here is the time to do something else, or to drop.
        while (producer.trySend(CONSUMER, order) != SendResult.ACCEPTED) {
          refusals++;
          TimeUnit.MICROSECONDS.sleep(500);
        }
      }
      for (int i = 0; i < MAILS; i++) {
        producer.send(CONSUMER, new Mail(i)); // waits for room
      }
      handled.await();
      System.out.printf(
          "%d orders in order, %d mails side by side, held back: %s%n",
          ORDERS, MAILS, refusals > 0 ? "yes" : "no");
    }
  }

  private static Node build(int id, int peer, MessageTypes types) {
    return Node.build(
        NodeConfig.builder()
            .id(id)
            .cluster("slow-consumer")
            .transport("loopback")
            .peer(peer, "")
            .types(types)
            // Little room, so that it runs out.
            .set("lane.bytes", "64K")
            .set("pool.queue.messages", "16")
            .build());
  }
}
