// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import java.io.IOException;

/** The store is closed. */
public final class ClosedException extends IOException {
  private static final long serialVersionUID = 1;

  ClosedException() {
    super("the store is closed");
  }
}
