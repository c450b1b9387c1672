// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/** Takes length-prefixed messages where they lie in the input. */
abstract class Framed extends ByteToMessageDecoder {

  static final int PREFIX_BYTES = Integer.BYTES;

  /** A whole message, its prefix included, begins at the reader's index. */
  abstract void take(ChannelHandlerContext context, ByteBuf in, long address, int length);

  /** All that has come in was taken. */
  void readComplete(ChannelHandlerContext context) {}

  @Override
  protected final void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    int at = in.readerIndex();
    while (in.readableBytes() >= PREFIX_BYTES) {
      int length = in.getInt(at);
      if (in.readableBytes() < PREFIX_BYTES + length) {
        return;
      }
      take(context, in, in.memoryAddress() + at + PREFIX_BYTES, length);
      at += PREFIX_BYTES + length;
      in.readerIndex(at);
    }
  }

  @Override
  public final void channelReadComplete(ChannelHandlerContext context) throws Exception {
    readComplete(context);
    super.channelReadComplete(context);
  }
}
