// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.base;

import java.io.IOException;

/** Stored bytes are not what was written: which file, where, and what that takes with it. */
public final class Damage extends IOException {
  private static final long serialVersionUID = 1;

  public Damage(String file, long offset, String what) {
    super(file + ", offset " + offset + ": " + what);
  }
}
