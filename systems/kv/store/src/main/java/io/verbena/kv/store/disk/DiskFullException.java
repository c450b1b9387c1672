// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.disk;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** There is no space left, or no quota. */
public final class DiskFullException extends IOException {
  private static final long serialVersionUID = 1;

  public DiskFullException(@Nullable String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** A disk with less than this has no room for anything. */
  private static final long NOTHING = 64 << 10;

  /**
   * Java tells a full disk by nothing but the operating system's sentence, which is in the user's
   * language.
   */
  static IOException orSame(IOException e, long usableBytes) {
    String message = String.valueOf(e.getMessage());
    return message.contains("No space left")
            || message.contains("quota exceeded")
            || usableBytes < NOTHING
        ? new DiskFullException(message, e)
        : e;
  }
}
