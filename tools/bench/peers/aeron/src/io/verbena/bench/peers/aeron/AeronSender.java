// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers.aeron;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.verbena.bench.message.Views;
import io.verbena.bench.peers.Answers;
import io.verbena.bench.peers.Judge;
import io.verbena.bench.peers.PeerOptions;
import io.verbena.bench.peers.SendingEnd;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes small messages in place, offers larger ones. */
final class AeronSender implements SendingEnd {

  private static final int FRAGMENTS = 8;

  private final MediaDriver driver; // null if the receiver's is used
  private final Aeron aeron;
  private final ExclusivePublication publication;
  private final Subscription replies; // null if there are none
  private final FragmentHandler replyHandler = new FragmentAssembler(this::takeReply);
  private final BufferClaim claim = new BufferClaim();
  private final IdleStrategy idle;
  private final Views views;
  private final Answers answers;
  private final int sizeBytes;
  private final UnsafeBuffer message;
  private final boolean isClaimed;
  private long awaited;
  private boolean isIntact;

  AeronSender(MediaDriver driver, PeerOptions options) {
    this.driver = driver;
    this.sizeBytes = options.sizeBytes();
    this.views = Views.ofSize(sizeBytes);
    this.answers = Answers.ofSize(sizeBytes);
    this.message = new UnsafeBuffer(ByteBuffer.allocateDirect(sizeBytes));
    this.idle = AeronPeer.idleStrategy(AeronPeer.isIpc(options));
    this.aeron =
        Aeron.connect(new Aeron.Context().aeronDirectoryName(AeronPeer.directory(options)));
    this.replies =
        options.hasReplies()
            ? aeron.addSubscription(AeronPeer.channel(options, "port2"), AeronPeer.REPLIES)
            : null;
    this.publication =
        aeron.addExclusivePublication(AeronPeer.channel(options, "port"), AeronPeer.MESSAGES);
    this.isClaimed = sizeBytes <= publication.maxPayloadLength();
    awaitConnection();
  }

  private void awaitConnection() {
    while (!publication.isConnected() || (replies != null && !replies.isConnected())) {
      idle.idle();
    }
  }

  @Override
  public void send(long stamp) {
    if (isClaimed) {
      await(publication.tryClaim(sizeBytes, claim), stamp);
    } else {
      views.write(stamp, Judge.MEMORY, message.addressOffset());
      offer(publication, message, 0, sizeBytes);
    }
  }

  private void await(long firstResult, long stamp) {
    long result = firstResult;
    while (result < 0) {
      check(result);
      idle.idle();
      result = publication.tryClaim(sizeBytes, claim);
    }
    idle.reset();
    views.write(stamp, Judge.MEMORY, claim.buffer().addressOffset() + claim.offset());
    claim.commit();
  }

  /** Offers until there is room. */
  static void offer(ExclusivePublication to, DirectBuffer buffer, int offset, int length) {
    for (long result = to.offer(buffer, offset, length); result < 0; ) {
      check(result);
      Thread.yield();
      result = to.offer(buffer, offset, length);
    }
  }

  private static void check(long result) {
    if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
      throw new IllegalStateException("the publication ended: " + Publication.errorString(result));
    }
    if (result == Publication.NOT_CONNECTED) {
      throw new IllegalStateException("the receiver is gone");
    }
  }

  @Override
  public void flush() {}

  @Override
  public boolean request(long stamp) {
    awaited = stamp;
    isIntact = false;
    send(stamp);
    while (replies.poll(replyHandler, FRAGMENTS) == 0 || awaited >= 0) {
      idle.idle();
    }
    idle.reset();
    return isIntact;
  }

  private void takeReply(DirectBuffer buffer, int offset, int length, Header header) {
    byte[] array = buffer.byteArray();
    MemorySegment from = array == null ? Judge.MEMORY : MemorySegment.ofArray(array);
    long at = offset + (array == null ? buffer.addressOffset() : buffer.wrapAdjustment());
    isIntact = answers.isAnswer(awaited, from, at, length);
    awaited = -1;
  }

  @Override
  public void close() {
    aeron.close();
    if (driver != null) {
      driver.close();
    }
  }
}
