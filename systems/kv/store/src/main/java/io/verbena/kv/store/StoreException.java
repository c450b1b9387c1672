// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import org.jspecify.annotations.Nullable;

/** A store could not do what it was asked for; the message says why, and what to do. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final Reason reason;

  /** What is the matter, for programs. */
  public enum Reason {
    /** Another process, or another part of this one, has the folder open. */
    IN_USE,
    /** The files are of another version of the format. */
    OTHER_FORMAT,
    /** Stored bytes are missing or changed. All that does not need them can be read. */
    DAMAGED,
    /** The disk is full. Reads go on, and writes as soon as there is space. */
    FULL,
    /**
     * A write could not be made durable. Reads go on; writes are refused until the store is opened
     * again.
     */
    READ_ONLY,
    /** Tables in memory were full for longer than a write waits. */
    BUSY,
    /** The snapshot was released, or is older than the limit. */
    SNAPSHOT_GONE,
    /** The store is closed. */
    CLOSED,
    /** The operating system refused something else. */
    IO
  }

  public StoreException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public StoreException(Reason reason, String message) {
    this(reason, message, null);
  }

  public Reason reason() {
    return reason;
  }

  @Override
  public String toString() {
    return getClass().getName() + ": " + reason + ": " + getMessage();
  }
}
