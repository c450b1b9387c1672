// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.faulty;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Decides which message of a node meets the fault. */
final class FaultSource {

  private final Fault fault;
  private final long every;
  private final AtomicLong messages = new AtomicLong();
  private final AtomicBoolean isSwapDue = new AtomicBoolean();

  FaultSource(Fault fault, long every) {
    this.fault = fault;
    this.every = every;
  }

  /** What happens to the next message; null for nothing. */
  @Nullable Fault next() {
    return messages.incrementAndGet() % every == 0 ? fault : null;
  }

  /** The next two messages that are read together mix up a word. */
  void owesSwap() {
    isSwapDue.set(true);
  }

  /** Whether that has to happen now; it happens once. */
  boolean takesSwap() {
    return isSwapDue.get() && isSwapDue.getAndSet(false);
  }
}
