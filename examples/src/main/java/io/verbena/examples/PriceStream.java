// SPDX-License-Identifier: Apache-2.0
package io.verbena.examples;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.Sender;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The fastest way to send a lot: an exclusive lane, and messages that are written and read in
 * place, without any object.
 */
public final class PriceStream {

  private static final int EXCHANGE = 1;
  private static final int TRADER = 2;
  private static final int PRICE = 1;
  private static final int PRICE_BYTES = 16; // instrument, price
  private static final int PRICES = 1_000_000;

  private PriceStream() {}

  /** Runs the example. */
  public static void main(String[] arguments) throws InterruptedException {
    MessageTypes types = MessageTypes.builder().addView(PRICE, "price: instrument, cents").build();
    CountDownLatch all = new CountDownLatch(1);
    AtomicLong sum = new AtomicLong();
    try (Node trader = build(TRADER, EXCHANGE, types);
        Node exchange = build(EXCHANGE, TRADER, types)) {
      trader.handleView(
          PRICE,
          // The bytes are only there during this call: read them, do not keep the segment.
          (segment, offset, length, from) -> {
            long instrument = segment.get(JAVA_LONG, offset);
            sum.setPlain(sum.getPlain() + segment.get(JAVA_LONG, offset + 8));
            if (instrument == PRICES - 1) {
              all.countDown();
            }
          });
      trader.start();
      exchange.start();

      long start = System.nanoTime();
      // One thread, one lane: no lock. Order holds within the lane.
      try (Sender lane = exchange.sender(TRADER)) {
        for (long i = 0; i < PRICES; i++) {
          long at = lane.claim(PRICE, PRICE_BYTES); // waits while the lane is full
          lane.segment().set(JAVA_LONG, at, i);
          lane.segment().set(JAVA_LONG, at + 8, 100 + i % 7);
          lane.commit();
        }
        all.await();
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          "%,d prices, sum %,d, %.1f million a second%n",
          PRICES, sum.get(), PRICES / seconds / 1e6);
    }
  }

  private static Node build(int id, int peer, MessageTypes types) {
    return Node.build(
        NodeConfig.builder()
            .id(id)
            .cluster("prices")
            .transport("loopback")
            .peer(peer, "")
            .types(types)
            .build());
  }
}
