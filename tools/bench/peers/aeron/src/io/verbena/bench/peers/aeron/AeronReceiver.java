// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers.aeron;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.verbena.bench.peers.Judge;
import io.verbena.bench.peers.PeerOptions;
import java.lang.foreign.MemorySegment;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;

/** Polls a subscription; answers requests with what they hold. */
final class AeronReceiver implements AutoCloseable {

  private static final int FRAGMENTS = 64;

  private final MediaDriver driver;
  private final Aeron aeron;
  private final Subscription subscription;
  private final ExclusivePublication replies; // null if nothing is answered
  private final Judge judge;
  private final IdleStrategy idle;
  private final Thread thread;
  private volatile boolean isOpen = true;

  AeronReceiver(MediaDriver driver, PeerOptions options, Judge judge) {
    this.driver = driver;
    this.judge = judge;
    this.idle = AeronPeer.idleStrategy(AeronPeer.isIpc(options));
    this.aeron =
        Aeron.connect(new Aeron.Context().aeronDirectoryName(AeronPeer.directory(options)));
    this.subscription =
        aeron.addSubscription(AeronPeer.channel(options, "port"), AeronPeer.MESSAGES);
    this.replies =
        options.hasReplies()
            ? aeron.addExclusivePublication(
                AeronPeer.channel(options, "port2"), AeronPeer.REPLIES)
            : null;
    this.thread = Thread.ofPlatform().daemon().name("poll").start(this::poll);
  }

  private void poll() {
    FragmentHandler handler = new FragmentAssembler(this::take);
    while (isOpen) {
      idle.idle(subscription.poll(handler, FRAGMENTS));
    }
  }

  private void take(DirectBuffer buffer, int offset, int length, Header header) {
    byte[] array = buffer.byteArray();
    if (array == null) {
      judge.take(Judge.MEMORY, buffer.addressOffset() + offset, length);
    } else {
      judge.take(MemorySegment.ofArray(array), (long) buffer.wrapAdjustment() + offset, length);
    }
    if (replies != null) {
      AeronSender.offer(replies, buffer, offset, length);
    }
  }

  @Override
  public void close() throws InterruptedException {
    isOpen = false;
    thread.join();
    aeron.close();
    driver.close();
  }
}
