// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.base;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Whether a region may still be written. After a failed sync nobody knows what of the last writes
 * is stored, and a second sync would not tell; so the first failure ends all writing until the
 * region is opened again.
 */
public final class Health {
  private volatile @Nullable IOException failure;

  /** Ends writing, unless it has ended. @return what those hear that write */
  public synchronized BrokenException breakDown(IOException reason) {
    if (failure == null) {
      failure = reason;
    }
    return new BrokenException(reason);
  }

  public void check() throws BrokenException {
    IOException reason = failure;
    if (reason != null) {
      throw new BrokenException(reason);
    }
  }

  /** Why nothing is written any more; null while all is well. */
  public @Nullable IOException failure() {
    return failure;
  }

  /** The region takes no more writes. */
  public static final class BrokenException extends IOException {
    private static final long serialVersionUID = 1;

    private BrokenException(IOException reason) {
      super("nothing is written since a failure: " + reason.getMessage(), reason);
    }

    /** The same, where another thread hears of it. */
    public BrokenException(BrokenException same) {
      super(same.getMessage(), same);
    }
  }
}
