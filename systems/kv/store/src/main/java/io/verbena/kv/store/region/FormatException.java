// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import java.io.IOException;

/** Files are of another version of the format. */
public final class FormatException extends IOException {
  private static final long serialVersionUID = 1;

  public FormatException(String file, int found, int known) {
    super(
        file
            + " is of format "
            + found
            + ", and this version of Verbena reads format "
            + known
            + ": use the version that wrote it, export there and import here");
  }
}
