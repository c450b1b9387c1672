// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.MessageHandler;

/** The part of a generated codec that is the same for all types. */
abstract class GeneratedCodec extends MessageCodec {

  private final CodecPlan plan;

  GeneratedCodec(int typeId, Class<? extends Record> type, CodecPlan plan) {
    super(typeId, type, plan.root().fixedBodyLength());
    this.plan = plan;
  }

  /** The canonical text of the type. */
  final String description() {
    return TypeDescription.of(plan.root());
  }

  final CodecPlan plan() {
    return plan;
  }

  @Override
  public final MessageSink sink(MessageHandler<?> handler) {
    return CodecGenerator.sink(plan, handler);
  }
}
