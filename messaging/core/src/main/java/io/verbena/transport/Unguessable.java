// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.security.SecureRandom;

/** What nobody can guess: ids of lives and sessions, nonces, marks of memory to be recognized. */
public final class Unguessable {

  private static final SecureRandom RANDOM = new SecureRandom();

  private Unguessable() {}

  /** A new id; never 0, which says that there is none. */
  public static long id() {
    long id = RANDOM.nextLong();
    return id == 0 ? 1 : id;
  }

  /** New bytes. */
  public static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    RANDOM.nextBytes(bytes);
    return bytes;
  }
}
