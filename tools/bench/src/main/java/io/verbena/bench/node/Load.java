// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.bench.control.Line;
import io.verbena.bench.plan.Limit;

/** What a node sends in one round after the other. */
interface Load extends AutoCloseable {

  /**
   * Sends until the limit is reached.
   *
   * @return the report: under {@code to<id>} how many messages each thread has sent to a node ever
   */
  Line run(Limit limit) throws InterruptedException;

  @Override
  default void close() {}
}
