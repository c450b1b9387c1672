// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

/** What a write has survived when it returns. */
public enum Durability {
  /** The end of the process: the operating system has the write, and stores it when it likes. */
  MEMORY,

  /**
   * The end of the process; a crash of the host loses at most the writes of the last {@link
   * StoreOptions#syncInterval()}, and those that came while the regions were synced, one after the
   * other.
   */
  INTERVAL,

  /** A crash of the host: the write waits for {@code fsync}, one for all that wait. */
  SYNC
}
