// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.disk;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * An open file. Any threads read and write; an interrupt of one of them disturbs neither it nor
 * others.
 */
public interface DiskFile extends AutoCloseable {
  /** Writes all of the bytes. After an error any part of them may have been written. */
  void write(long position, MemorySegment bytes) throws IOException;

  /** Fills the memory, and says with how many bytes: fewer only at the end of the file. */
  int read(long position, MemorySegment into) throws IOException;

  long size() throws IOException;

  /** Takes the bytes from this position on away. */
  void truncate(long size) throws IOException;

  /**
   * What was written before is durable. After an error nobody knows, and a second call would not
   * tell.
   */
  void sync() throws IOException;

  @Override
  void close() throws IOException;
}
