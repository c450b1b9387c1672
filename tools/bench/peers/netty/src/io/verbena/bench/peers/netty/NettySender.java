// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import io.verbena.bench.message.Views;
import io.verbena.bench.peers.Judge;
import io.verbena.bench.peers.RequestRound;
import io.verbena.bench.peers.SendRound;
import io.verbena.bench.peers.SendingEnd;
import java.util.concurrent.CountDownLatch;

/** Sends from within the event loop: as long as the channel takes more, batch after batch. */
final class NettySender implements SendingEnd {

  private static final int BATCH_BYTES = 64 << 10;
  private static final int BATCH_BYTES_OF_LARGE = 256 << 10;
  private static final int FEW = 4;

  private final EventLoopGroup loops;
  private final Channel channel;
  private final AnswerTaker answers;
  private final Views views;
  private final int sizeBytes;
  private final int batch;
  private final boolean isJoined;
  private volatile Throwable failure;

  /**
   * @param isJoined whether the messages of a batch are written into one buffer
   */
  NettySender(
      EventLoopGroup loops,
      Channel channel,
      AnswerTaker answers,
      int sizeBytes,
      boolean isJoined) {
    this.loops = loops;
    this.channel = channel;
    this.answers = answers;
    this.sizeBytes = sizeBytes;
    this.views = Views.ofSize(sizeBytes);
    this.batch = batch(sizeBytes);
    this.isJoined = isJoined;
  }

  /** How many messages are written before a flush. */
  static int batch(int sizeBytes) {
    int few = Math.clamp(BATCH_BYTES_OF_LARGE / sizeBytes, 1, FEW);
    return Math.max(few, Math.min(BATCH_BYTES / sizeBytes, 1024));
  }

  @Override
  public void messages(SendRound round) throws Exception {
    CountDownLatch isOver = new CountDownLatch(1);
    channel
        .eventLoop()
        .execute(
            () -> {
              answers.whenWritable(() -> write(round, isOver));
              write(round, isOver);
            });
    await(isOver);
  }

  /** Called again when the channel has room again. */
  private void write(SendRound round, CountDownLatch isOver) {
    while (channel.isWritable() && round.goesOn()) {
      if (isJoined) {
        channel.write(joined(round), channel.voidPromise());
      } else {
        for (int i = 0; i < batch; i++) {
          channel.write(message(round.nextStamp()), channel.voidPromise());
        }
      }
      channel.flush();
    }
    if (!round.goesOn()) {
      answers.whenWritable(() -> {});
      channel
          .writeAndFlush(Unpooled.EMPTY_BUFFER)
          .addListener(result -> written(result, isOver)); // after all that was written before
    }
  }

  private void written(Future<?> result, CountDownLatch isOver) {
    if (!result.isSuccess()) {
      failure = result.cause();
    }
    isOver.countDown();
  }

  private void await(CountDownLatch isOver) throws InterruptedException {
    isOver.await();
    if (failure != null) {
      throw new IllegalStateException("a write failed: " + failure);
    }
  }

  private ByteBuf joined(SendRound round) {
    int length = Framed.PREFIX_BYTES + sizeBytes;
    ByteBuf all = channel.alloc().directBuffer(length * batch, length * batch);
    for (int i = 0; i < batch; i++) {
      put(round.nextStamp(), all, i * length);
    }
    return all.writerIndex(length * batch);
  }

  private ByteBuf message(long stamp) {
    int length = Framed.PREFIX_BYTES + sizeBytes;
    ByteBuf message = channel.alloc().directBuffer(length, length);
    put(stamp, message, 0);
    return message.writerIndex(length);
  }

  private void put(long stamp, ByteBuf to, int at) {
    to.setInt(at, sizeBytes);
    views.write(stamp, Judge.MEMORY, to.memoryAddress() + at + Framed.PREFIX_BYTES);
  }

  @Override
  public void send(long stamp) {
    throw new UnsupportedOperationException("messages are sent by the event loop");
  }

  @Override
  public void flush() {}

  @Override
  public boolean request(long stamp) {
    throw new UnsupportedOperationException("requests are sent by the event loop");
  }

  /** The event loop sends a request and, when it finds the answer, the next one. */
  @Override
  public void requests(RequestRound round) throws Exception {
    CountDownLatch isOver = new CountDownLatch(1);
    channel.eventLoop().execute(() -> next(round, isOver));
    await(isOver);
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
