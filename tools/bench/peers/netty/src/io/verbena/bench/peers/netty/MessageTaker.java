// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.verbena.bench.peers.Judge;

/** Gives messages to the judge; sends requests back. */
final class MessageTaker extends Framed {

  private final Judge judge;
  private final boolean answers;

  MessageTaker(Judge judge, boolean answers) {
    this.judge = judge;
    this.answers = answers;
  }

  @Override
  void take(ChannelHandlerContext context, ByteBuf in, long address, int length) {
    judge.take(Judge.MEMORY, address, length);
    if (answers) {
      context.write(in.retainedSlice(in.readerIndex(), PREFIX_BYTES + length));
    }
  }

  @Override
  void readComplete(ChannelHandlerContext context) {
    if (answers) {
      context.flush();
    }
  }
}
