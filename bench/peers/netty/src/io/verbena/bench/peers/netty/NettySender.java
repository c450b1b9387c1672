// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.verbena.bench.message.Views;
import io.verbena.bench.peers.Judge;
import io.verbena.bench.peers.RequestRound;
import io.verbena.bench.peers.SendingEnd;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** Hands messages to the event loop in batches: it makes them, writes them, and flushes. */
final class NettySender implements SendingEnd {

  static final int BATCH_MESSAGES = 64;
  static final int BATCH_BYTES = 256 << 10;

  /** As many batches are on their way before the next one waits. */
  private static final int MAX_BATCHES = 8;

  private final EventLoopGroup loops;
  private final Channel channel;
  private final AnswerTaker answers;
  private final Views views;
  private final int sizeBytes;
  private final int batchMessages;
  private final long[] pending;
  private int pendingCount;
  private final Semaphore batches = new Semaphore(MAX_BATCHES);
  private volatile Throwable failure;

  NettySender(EventLoopGroup loops, Channel channel, AnswerTaker answers, int sizeBytes) {
    this.loops = loops;
    this.channel = channel;
    this.answers = answers;
    this.sizeBytes = sizeBytes;
    this.views = Views.ofSize(sizeBytes);
    this.batchMessages = Math.clamp(BATCH_BYTES / sizeBytes, 1, BATCH_MESSAGES);
    this.pending = new long[batchMessages];
  }

  @Override
  public void send(long stamp) throws Exception {
    pending[pendingCount++] = stamp;
    if (pendingCount == batchMessages) {
      flush();
    }
  }

  @Override
  public void flush() throws Exception {
    if (failure != null) {
      throw new IllegalStateException("a write failed: " + failure);
    }
    if (pendingCount > 0) {
      long[] stamps = java.util.Arrays.copyOf(pending, pendingCount);
      pendingCount = 0;
      batches.acquire();
      channel.eventLoop().execute(() -> write(stamps));
    }
  }

  private void write(long[] stamps) {
    for (int i = 0; i < stamps.length - 1; i++) {
      channel.write(message(stamps[i]), channel.voidPromise());
    }
    channel.writeAndFlush(message(stamps[stamps.length - 1])).addListener(this::written);
  }

  private void written(io.netty.util.concurrent.Future<? super Void> result) {
    if (!result.isSuccess()) {
      failure = result.cause();
    }
    batches.release();
  }

  private ByteBuf message(long stamp) {
    int length = Framed.PREFIX_BYTES + sizeBytes;
    ByteBuf message = channel.alloc().directBuffer(length, length);
    message.setInt(0, sizeBytes);
    views.write(stamp, Judge.MEMORY, message.memoryAddress() + Framed.PREFIX_BYTES);
    return message.writerIndex(length);
  }

  @Override
  public boolean request(long stamp) {
    throw new UnsupportedOperationException("requests are sent by the event loop");
  }

  /** The event loop sends a request and, when it finds the answer, the next one. */
  @Override
  public void requests(RequestRound round) throws Exception {
    CountDownLatch isOver = new CountDownLatch(1);
    channel.eventLoop().execute(() -> next(round, isOver));
    isOver.await();
    if (failure != null) {
      throw new IllegalStateException("a write failed: " + failure);
    }
  }

  private void next(RequestRound round, CountDownLatch isOver) {
    if (!round.goesOn()) {
      isOver.countDown();
      return;
    }
    long stamp = round.nextStamp();
    answers.await(
        stamp,
        isIntact -> {
          round.answered(isIntact);
          next(round, isOver);
        });
    ChannelFuture written = channel.writeAndFlush(message(stamp));
    if (written.isDone() && !written.isSuccess()) {
      failure = written.cause();
      isOver.countDown();
    }
  }

  @Override
  public void close() {
    loops.shutdownGracefully();
  }
}
