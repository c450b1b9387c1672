// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.verbena.bench.message.Views;
import io.verbena.bench.peers.Judge;
import java.util.function.Consumer;

/** Compares each answer with its request. */
final class AnswerTaker extends Framed {

  private final Views views;
  private final int sizeBytes;
  private long awaited;
  private Consumer<Boolean> whenAnswered = isIntact -> {};

  AnswerTaker(Views views, int sizeBytes) {
    this.views = views;
    this.sizeBytes = sizeBytes;
  }

  /** The next answer is to this request; called by the event loop. */
  void await(long stamp, Consumer<Boolean> action) {
    awaited = stamp;
    whenAnswered = action;
  }

  @Override
  void take(ChannelHandlerContext context, ByteBuf in, long address, int length) {
    boolean isIntact =
        length == sizeBytes
            && views.stamp(Judge.MEMORY, address) == awaited
            && views.isIntact(awaited, Judge.MEMORY, address);
    whenAnswered.accept(isIntact);
  }
}
