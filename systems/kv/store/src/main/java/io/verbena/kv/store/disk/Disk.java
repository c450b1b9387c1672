// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.disk;

import io.verbena.kv.store.base.Damage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A folder of files. Written bytes are durable after {@link DiskFile#sync}; that a file is there,
 * gone or renamed is durable after {@link #syncNames}. Without these a crash of the host may leave
 * any of it done or undone.
 */
public interface Disk {
  /** The names of files and folders, in no order. */
  List<String> list() throws IOException;

  /** A new file of no bytes. A name that is there is an error. */
  DiskFile create(String name, Access access) throws IOException;

  DiskFile open(String name, Access access) throws IOException;

  /** All bytes of a file, or so many of its first ones. */
  default byte[] readAll(String name, int most) throws IOException {
    try (DiskFile file = open(name, Access.CACHED)) {
      byte[] bytes = new byte[(int) Math.min(file.size(), most)];
      file.read(0, ByteBuffer.wrap(bytes));
      return bytes;
    } catch (IOException e) {
      throw Damage.ofRead(describe(name), 0, e);
    }
  }

  /** Takes the place of another file with the name {@code to} at once, if there is one. */
  void rename(String from, String to) throws IOException;

  /** A name that is not there is no error. */
  void delete(String name) throws IOException;

  /**
   * Makes durable which names there are. Once it has failed it fails again, whoever calls: the
   * operating system tells a failure to one sync alone.
   */
  void syncNames() throws IOException;

  /** A folder in this one, which is made if it is not there. */
  Disk folder(String name) throws IOException;

  /** Keeps all others out until it is closed; null if somebody else does so now. */
  @Nullable AutoCloseable lock(String name) throws IOException;

  /** How many bytes can still be written, as far as anybody knows. */
  long usableBytes() throws IOException;

  /** How a file is called in an error. */
  String describe(String name);

  /** How a file is read and written. */
  enum Access {
    /** By the page cache, any bytes. */
    CACHED,
    /**
     * As {@link #CACHED}, for what is synced again and again: that is quick, and does not tell why
     * it fails.
     */
    LOG,
    /**
     * Past the page cache where the file system can: positions, lengths and memory in multiples of
     * 4 KiB.
     */
    DIRECT
  }
}
