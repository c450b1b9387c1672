// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import java.lang.foreign.MemorySegment;

/** Operations that are to be written together, as one record. */
public interface Write {
  int count();

  /** What {@link #layOut} writes. */
  int bytes();

  /** Keys and values as a table in memory has them, or more. */
  long tableBytes();

  /** Whether it only takes keys away. */
  boolean isDelete();

  /** The key of a write of one key; asked only of one with a condition. */
  MemorySegment key();

  /** Lays the operations out, one behind the other. */
  void layOut(MemorySegment memory, long at);
}
