// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.base;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The CRC32C of a place and the bytes there: bytes that lie elsewhere do not match it. One thread
 * at a time uses it, again and again.
 */
public final class Checksum {
  private final CRC32C crc = new CRC32C();

  /** The checksum of what remains in a buffer, which is used up by that. */
  public int of(long where, int offset, ByteBuffer bytes) {
    crc.reset();
    for (int shift = 0; shift < 64; shift += 8) {
      crc.update((int) (where >>> shift));
    }
    for (int shift = 0; shift < 32; shift += 8) {
      crc.update(offset >>> shift);
    }
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
