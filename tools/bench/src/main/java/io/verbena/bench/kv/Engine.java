// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A store that is measured, as Java programs use it. Any number of threads call it at once. A class
 * that is one has a public constructor with {@link Settings}, which opens the folder.
 */
public interface Engine extends AutoCloseable {

  /**
   * A store as it is to be opened. Compression is off. A write survives the process, with sync the
   * host.
   */
  record Settings(
      Path folder,
      String variant,
      long cacheBytes,
      long tableBytes,
      int tablePairs,
      int inlineLimit,
      boolean sync) {}

  /** Is given what a scan finds. */
  interface Visitor {
    /** A key and its value. */
    void visit(byte[] key, byte[] value);
  }

  /** Version and settings, for people. */
  String describe();

  /** Writes a value. */
  void put(byte[] key, byte[] value) throws Exception;

  /** The value of a key; null if there is none. */
  byte @Nullable [] get(byte[] key) throws Exception;

  /** Reads this many keys, from one on, or as many as there are. */
  void scan(byte[] from, int count, Visitor visitor) throws Exception;
}
