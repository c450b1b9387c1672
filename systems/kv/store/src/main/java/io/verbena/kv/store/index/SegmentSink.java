// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Takes the segments of a tree that is being written, one after the other, each when it is
 * finished.
 */
public interface SegmentSink {
  long newNumber() throws IOException;

  /** The bytes are the caller's again when this returns. */
  void finished(long number, MemorySegment bytes) throws IOException;
}
