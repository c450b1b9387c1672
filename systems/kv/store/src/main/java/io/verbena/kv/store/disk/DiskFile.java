// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file. Any threads read and write; an interrupt of one of them disturbs neither it nor
 * others.
 */
public interface DiskFile extends AutoCloseable {
  /** Writes what remains in the buffer. After an error any part of them may have been written. */
  void write(long position, ByteBuffer bytes) throws IOException;

  /**
   * Fills what remains of the buffer, and says with how many bytes: fewer only at the end of the
   * file.
   */
  int read(long position, ByteBuffer into) throws IOException;

  long size() throws IOException;

  /** Takes the bytes from this position on away. */
  void truncate(long size) throws IOException;

  /**
   * Makes durable all that was written before. After an error nobody knows whether it is, and a
   * second call would not tell.
   */
  void sync() throws IOException;

  @Override
  void close() throws IOException;
}
