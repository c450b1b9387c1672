// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.verbena.bench.peers.Answers;
import io.verbena.bench.peers.Judge;
import java.util.function.Consumer;

/** The sender's end of a connection: compares each answer with its request. */
final class AnswerTaker extends Framed {

  private final Answers answers;
  private long awaited;
  private Consumer<Boolean> whenAnswered = isIntact -> {};
  private Runnable whenWritable = () -> {};

  AnswerTaker(Answers answers) {
    this.answers = answers;
  }

  /** There is room again for what is written; called by the event loop. */
  void whenWritable(Runnable action) {
    whenWritable = action;
  }

  /** The next answer is to this request; called by the event loop. */
  void await(long stamp, Consumer<Boolean> action) {
    awaited = stamp;
    whenAnswered = action;
  }

  @Override
  void take(ChannelHandlerContext context, ByteBuf in, long address, int length) {
    whenAnswered.accept(answers.isAnswer(awaited, Judge.MEMORY, address, length));
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
    if (context.channel().isWritable()) {
      whenWritable.run();
    }
    super.channelWritabilityChanged(context);
  }
}
