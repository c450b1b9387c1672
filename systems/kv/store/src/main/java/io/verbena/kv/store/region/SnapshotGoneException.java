// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import java.io.IOException;
import java.time.Duration;

/** A snapshot can be read no more. */
public final class SnapshotGoneException extends IOException {
  private static final long serialVersionUID = 1;

  SnapshotGoneException(Duration age) {
    super(
        "the snapshot was closed, or is older than "
            + age.toSeconds()
            + " s: take another one, or raise snapshotAge");
  }
}
