// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import java.io.IOException;

/** A node that lives has the name already. */
final class NameTakenException extends IOException {
  private static final long serialVersionUID = 1L;

  NameTakenException(String text) {
    super(text);
  }
}
