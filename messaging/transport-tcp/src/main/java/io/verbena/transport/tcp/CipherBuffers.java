// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Buffers for the encrypted bytes of all links of a node. A link borrows one while encrypted bytes
 * are in it, so that an idle link has none. Any thread may take one and give it back.
 */
final class CipherBuffers {

  /** Four of the largest records that the JDK writes, which are a little over 16 KiB. */
  static final int BYTES = 68 * 1024;

  /** As many as are in use at once on a busy node; the collector gets what is beyond. */
  private static final int KEPT = 16;

  private final AtomicReferenceArray<@Nullable ByteBuffer> kept = new AtomicReferenceArray<>(KEPT);

  /** Lends an empty buffer, on the heap: there the JDK's ciphers are fastest. */
  ByteBuffer take() {
    for (int i = 0; i < KEPT; i++) {
      if (kept.getPlain(i) != null) {
        ByteBuffer found = kept.getAndSet(i, null);
        if (found != null) {
          return found.clear();
        }
      }
    }
    return ByteBuffer.allocate(BYTES);
  }

  void giveBack(ByteBuffer buffer) {
    for (int i = 0; i < KEPT; i++) {
      if (kept.getPlain(i) == null && kept.compareAndSet(i, null, buffer)) {
        return;
      }
    }
  }
}
