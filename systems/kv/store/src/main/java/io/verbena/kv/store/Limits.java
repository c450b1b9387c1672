// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import io.verbena.kv.store.index.Entry;
import java.lang.foreign.MemorySegment;

/** How long keys and values may be. */
final class Limits {
  static final int MAX_VALUE = 1 << 20;

  /** No value takes more than this of a table in memory. */
  static final int MAX_IN_TABLE = Entry.MAX_INLINE;

  private Limits() {}

  static void checkKey(long length) {
    if (length < 1 || length > Entry.MAX_KEY) {
      throw new IllegalArgumentException(
          "a key of " + length + " bytes; it may have 1 to " + Entry.MAX_KEY);
    }
  }

  static void checkValue(long length) {
    if (length > MAX_VALUE) {
      throw new IllegalArgumentException(
          "a value of " + length + " bytes; it may have up to " + MAX_VALUE);
    }
  }

  /** Values come from files, too, and Java reads these into bytes alone. */
  static void checkTarget(MemorySegment into) {
    if (into.isReadOnly()) {
      throw new IllegalArgumentException("a segment that is read-only has no room for a value");
    }
    if (!into.isNative() && !(into.heapBase().orElseThrow() instanceof byte[])) {
      throw new IllegalArgumentException(
          "a segment over "
              + into.heapBase().orElseThrow().getClass().getSimpleName()
              + "; values are copied to one over byte[], or outside of the heap");
    }
  }

  static void checkVersion(long version) {
    if (version < 0) {
      throw new IllegalArgumentException("a version of " + version + "; it may be 0 or more");
    }
  }
}
