// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.figure;

import org.jspecify.annotations.Nullable;

/**
 * A figure in a report.
 *
 * @param figure what was measured
 * @param reach what it is to come to; null for nothing
 */
public record Row(Figure figure, @Nullable Reach reach) {

  /** Whether it comes to that; null if there is nothing that it is to come to. */
  public @Nullable Boolean isReached() {
    return reach == null ? null : reach.isReachedBy(figure);
  }
}
