// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.internal.codec.MessageSink;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Which sink takes messages of which type. Read for every message, written seldom. */
public final class SinkTable {

  private volatile @Nullable MessageSink[] sinks = new @Nullable MessageSink[0];

  /** The table as it is now, indexed by type; shorter than the largest id if none is registered. */
  public @Nullable MessageSink[] current() {
    return sinks;
  }

  /** Registers a sink in place of the former one; null if there is none any more. */
  public synchronized void put(int typeId, @Nullable MessageSink sink) {
    @Nullable MessageSink[] next = Arrays.copyOf(sinks, Math.max(sinks.length, typeId + 1));
    next[typeId] = sink;
    sinks = next;
  }
}
