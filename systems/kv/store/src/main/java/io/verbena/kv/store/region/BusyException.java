// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import java.io.IOException;
import java.time.Duration;

/** A write found no room in memory for as long as it may wait. */
public final class BusyException extends IOException {
  private static final long serialVersionUID = 1;

  BusyException(Duration waited) {
    super(
        "the tables in memory were full for "
            + waited.toMillis()
            + " ms: the disk does not keep up; write less at a time, or raise writeWait");
  }
}
