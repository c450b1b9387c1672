// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.MessageHandler;
import java.lang.foreign.MemorySegment;

/** Reads what a peer's version of a type writes; this side never writes in that version. */
abstract class PeersCodec extends MessageCodec {

  private final CodecPlan plan;

  PeersCodec(int typeId, Class<? extends Record> type, CodecPlan plan) {
    super(typeId, type, plan.root().fixedBodyLength());
    this.plan = plan;
  }

  @Override
  public final int length(Record message) {
    throw new IllegalStateException("only peers write " + type().getName() + " in this layout");
  }

  @Override
  public final void write(Record message, MemorySegment segment, long offset, int length) {
    throw new IllegalStateException("only peers write " + type().getName() + " in this layout");
  }

  @Override
  public final MessageSink sink(MessageHandler<?> handler) {
    return CodecGenerator.sink(plan, handler);
  }
}
