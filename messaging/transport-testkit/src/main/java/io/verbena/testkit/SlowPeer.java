// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.Execution;
import io.verbena.Node;
import io.verbena.SendResult;
import io.verbena.testkit.TestMessages.Blob;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Node 2 with small lanes and a short queue, whose handler of blobs waits until it may go; and what
 * fills a lane to it. Blobs with a negative number are those that a test means never to arrive.
 */
final class SlowPeer {

  /** Nodes of the suite that are to be filled have lanes of this size. */
  static final int LANE_BYTES = 64 * 1024;

  static final int BALLAST_BYTES = 1000;

  /** What may be accepted while nothing is handled: many times what all on the way can hold. */
  static final long BOUND_BYTES = 64L << 20;

  /** Of its queue: when it has received so many, it takes no more. */
  private static final int QUEUED = 256;

  /** So many looks in turn that find no room then: what it has consumed is known by now. */
  private static final int FULL_FOR_GOOD = 50;

  private static final Duration PAUSE = Duration.ofMillis(4);

  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicLong handled = new AtomicLong();
  private final AtomicLong unwanted = new AtomicLong();
  private final Node node;

  /** Opens it. */
  SlowPeer(Cluster cluster) {
    node = openSmall(cluster, 2);
    node.handle(
        Blob.class,
        Execution.pool(1),
        (blob, from) -> {
          go.await();
          (blob.number() < 0 ? unwanted : handled).incrementAndGet();
        });
  }

  /** Opens a node whose lanes and queue are soon full. */
  static Node openSmall(Cluster cluster, int id) {
    return cluster.open(
        id,
        builder ->
            builder.laneBytes(LANE_BYTES).set("pool.queue.messages", String.valueOf(QUEUED)));
  }

  Node node() {
    return node;
  }

  /** A message that takes some room. */
  static Blob ballast() {
    return new Blob(0, new byte[BALLAST_BYTES]);
  }

  /**
   * Sends until the far side has taken all it will and there is no room for the smallest message.
   *
   * @return how many blobs were accepted
   */
  long fill(Node sender) {
    return fillWith(sender, ballast()) + fillWith(sender, new Blob(0, new byte[0]));
  }

  private long fillWith(Node sender, Blob blob) {
    long accepted = 0;
    int full = 0;
    while (full < FULL_FOR_GOOD) {
      SendResult result = sender.trySend(2, blob);
      if (result == SendResult.FULL) {
        full += hasReceivedAllItTakes() ? 1 : 0;
        Await.idle(PAUSE); // others need a processor to take what is on the way
      } else {
        full = 0;
        accepted += result == SendResult.ACCEPTED ? 1 : 0;
      }
      if (accepted * BALLAST_BYTES > BOUND_BYTES) {
        throw new AssertionError(accepted + " messages accepted while none was handled");
      }
    }
    return accepted;
  }

  private boolean hasReceivedAllItTakes() {
    return node.metrics().snapshot().getOrDefault("messages.received", 0L) >= QUEUED;
  }

  /** Lets its handler go on, for good. */
  void letGo() {
    go.countDown();
  }

  /** Whether its handler waits. */
  boolean isHeld() {
    return go.getCount() > 0;
  }

  /** Waits until it has handled this many blobs. */
  void awaitHandled(long count) {
    Await.until(
        Await.LONG,
        () -> handled + " of " + count + " blobs were handled",
        () -> handled.get() == count);
  }

  /** How many blobs with a negative number it has handled. */
  long unwanted() {
    return unwanted.get();
  }
}
