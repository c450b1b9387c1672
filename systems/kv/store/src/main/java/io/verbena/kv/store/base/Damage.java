// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.base;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;

/** Stored bytes are not what was written: which file, where, and what that takes with it. */
public final class Damage extends IOException {
  private static final long serialVersionUID = 1;

  public Damage(String file, long offset, String what) {
    super(file + ", offset " + offset + ": " + what);
  }

  /** What a failed read is: damage, unless it is the file that could not be opened again. */
  public static IOException ofRead(String file, long offset, IOException failure) {
    if (failure instanceof ClosedChannelException || failure instanceof FileSystemException) {
      return failure;
    }
    String what = "the disk does not give what is there: " + failure.getMessage();
    return (IOException) new Damage(file, offset, what).initCause(failure);
  }
}
