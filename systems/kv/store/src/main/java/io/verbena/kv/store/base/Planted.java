// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.base;

/**
 * Faults that can be planted by {@code -Dverbena.kv.planted=NAME}, each of them one that a store
 * like this has had somewhere. The tests are run with each, and have to turn red ({@code
 * systems/kv/test/planted.sh}).
 */
public enum Planted {
  NOTHING,
  /** A manifest names trees whose segments are not stored yet. */
  ROOT_BEFORE_SEGMENTS,
  /** The log is read again from behind where it should. */
  REPLAY_TOO_LATE,
  /** A segment of the log goes although a snapshot still reads it. */
  FREED_UNDER_SNAPSHOT,
  /** A value is moved although its key was written meanwhile. */
  MOVE_OVER_NEWER,
  /** A write is called durable, and is not. */
  NO_SYNC,
  /** A filter does not know some of its keys. */
  FORGETFUL_FILTER,
  /** Of a batch in the log the first half is applied again. */
  HALF_BATCH;

  private static final Planted NOW =
      valueOf(System.getProperty("verbena.kv.planted", NOTHING.name()));

  public boolean here() {
    return NOW == this;
  }
}
