// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

/** What a thread sends on. */
public enum LaneKind {
  /** The lane that all threads share: {@code node.send}. */
  SHARED,
  /** A lane of its own: {@code node.sender}. */
  EXCLUSIVE,
  /** As exclusive, and for records of one type: {@code sender.typed}. */
  TYPED
}
