// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.MessageHandler;
import io.verbena.TypedSender;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The part of a generated codec that is the same for all types. */
abstract class GeneratedCodec extends MessageCodec {

  private final CodecPlan plan;
  private volatile @Nullable Function<MessageTurn, MessageTurn.Taker>
      senders; // made when asked for

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
  public final @Nullable TypedSender<Record> typedSender(MessageTurn turn) {
    if (fixedLength() < 0) {
      return null;
    }
    Function<MessageTurn, MessageTurn.Taker> made = senders;
    if (made == null) {
      made = CodecGenerator.senders(plan);
      senders = made;
    }
    return made.apply(turn);
  }

  @Override
  public final MessageSink sink(MessageHandler<?> handler) {
    return CodecGenerator.sink(plan, handler);
  }
}
