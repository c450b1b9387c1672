// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers;

import io.verbena.bench.message.Views;
import java.lang.foreign.MemorySegment;

/**
 * Compares answers with their requests.
 *
 * @param views how messages are laid out
 * @param sizeBytes of a message
 */
public record Answers(Views views, int sizeBytes) {

  /** Of messages of this size. */
  public static Answers ofSize(int sizeBytes) {
    return new Answers(Views.ofSize(sizeBytes), sizeBytes);
  }

  /** Whether these bytes are the message with this stamp. */
  public boolean isAnswer(long stamp, MemorySegment from, long offset, long lengthBytes) {
    return lengthBytes == sizeBytes
        && views.stamp(from, offset) == stamp
        && views.isIntact(stamp, from, offset);
  }
}
