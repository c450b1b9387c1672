// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import java.io.IOException;
import java.time.Duration;

/** A snapshot can be read no more. */
public final class SnapshotGoneException extends IOException {
  private static final long serialVersionUID = 1;

  private SnapshotGoneException(String message) {
    super(message);
  }

  static SnapshotGoneException closed() {
    return new SnapshotGoneException("the snapshot, or the scan that has taken it, is closed");
  }

  static SnapshotGoneException old(Duration age) {
    return new SnapshotGoneException(
        "the snapshot is older than snapshotAge, "
            + age.toMillis()
            + " ms: take another one, or raise that");
  }
}
