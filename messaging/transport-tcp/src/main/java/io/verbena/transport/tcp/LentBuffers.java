// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Buffers of one kind for all links of a node. A link borrows one while bytes are in it, so that an
 * idle link has none. Any thread may take one and give it back.
 */
final class LentBuffers {

  /** As many as are in use at once on a busy node; the collector gets what is beyond. */
  private static final int KEPT = 16;

  private final Supplier<ByteBuffer> maker;
  private final AtomicReferenceArray<@Nullable ByteBuffer> kept = new AtomicReferenceArray<>(KEPT);

  /** Lends what {@code maker} makes. */
  LentBuffers(Supplier<ByteBuffer> maker) {
    this.maker = maker;
  }

  /** Lends an empty buffer. */
  ByteBuffer take() {
    for (int i = 0; i < KEPT; i++) {
      if (kept.getPlain(i) != null) {
        ByteBuffer found = kept.getAndSet(i, null);
        if (found != null) {
          return found.clear();
        }
      }
    }
    return maker.get();
  }

  void giveBack(ByteBuffer buffer) {
    for (int i = 0; i < KEPT; i++) {
      if (kept.getPlain(i) == null && kept.compareAndSet(i, null, buffer)) {
        return;
      }
    }
  }
}
