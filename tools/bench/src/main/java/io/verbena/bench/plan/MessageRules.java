// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

import io.verbena.Execution;
import io.verbena.bench.message.Blob;
import io.verbena.bench.message.StampFormat;

/**
 * Which messages can be sent, received and judged.
 *
 * @param workload what is measured
 * @param handlers where message handlers run
 * @param path as objects or in place
 * @param lane shared or exclusive
 * @param threads that send in a node
 */
record MessageRules(
    Workload workload, Execution handlers, MessagePath path, LaneKind lane, int threads) {

  /**
   * Checks how messages are made and sent.
   *
   * @throws IllegalArgumentException saying which option to change
   */
  void checkPath() {
    if (path == MessagePath.VIEW) {
      Check.that(
          lane == LaneKind.EXCLUSIVE, "views are sent on an exclusive lane: --sender exclusive");
      Check.that(
          handlers instanceof Execution.Inline, "view handlers run inline: --handlers inline");
      Check.that(!workload.hasReplies(), "requests are records: --path record");
    }
    Check.that(
        !workload.hasReplies() || lane == LaneKind.SHARED,
        "requests go on the shared lane: --sender shared");
  }

  /**
   * Checks a size of message bodies.
   *
   * @throws IllegalArgumentException saying which option to change
   */
  void checkSize(int size) {
    Check.that(
        size >= 1 && size <= BenchPlan.MAX_SIZE_BYTES,
        "a size is 1 to " + BenchPlan.MAX_SIZE_BYTES + " bytes");
    StampFormat format = StampFormat.ofMessages(size);
    Check.that(
        threads <= format.maxThreads(),
        "messages of %d bytes can tell %d threads apart, not %d"
            .formatted(size, format.maxThreads(), threads));
    Check.that(
        size >= Long.BYTES || !(handlers instanceof Execution.Virtual),
        "messages without an order are checked from 8 bytes on: --handlers inline");
    Check.that(
        size >= Long.BYTES || !workload.hasReplies(),
        "requests are checked from 8 bytes on: --size 8");
    boolean isExact = size == 1 || size == 2 || size == 4 || size == 8;
    Check.that(
        path == MessagePath.VIEW || isExact || Blob.payloadLength(size) >= 0,
        "no record has a body of just %d bytes; choose another size, or --path view"
            .formatted(size));
  }
}
