// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import io.verbena.kv.store.StoreException.Reason;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * All keys and values of a store as one stream, which every version of the format can read: the
 * word {@code VKVEXP1\n}, of each key its length (4 bytes, big-endian), the value's length (4),
 * key, value; then a length of 0, the count (8) and the CRC32C of all before (4).
 */
final class Archive {
  private static final long MAGIC = 0x564b56455850310aL;

  private Archive() {}

  static long write(Scan scan, OutputStream to) throws IOException {
    CheckedOutputStream checked =
        new CheckedOutputStream(new BufferedOutputStream(to), new CRC32C());
    DataOutputStream out = new DataOutputStream(checked);
    out.writeLong(MAGIC);
    long count = 0;
    while (scan.next()) {
      byte[] key = scan.key();
      byte[] value = scan.value();
      out.writeInt(key.length);
      out.writeInt(value.length);
      out.write(key);
      out.write(value);
      count++;
    }
    out.writeInt(0);
    out.writeLong(count);
    out.writeInt((int) checked.getChecksum().getValue());
    out.flush();
    return count;
  }

  static long read(InputStream from, Store into) throws IOException {
    CheckedInputStream checked =
        new CheckedInputStream(new BufferedInputStream(from), new CRC32C());
    DataInputStream in = new DataInputStream(checked);
    long count = 0;
    try {
      if (in.readLong() != MAGIC) {
        throw wrong("it does not begin as one", count);
      }
      for (int length = in.readInt(); length != 0; length = in.readInt()) {
        put(in, length, into, count++);
      }
      checkEnd(in, checked, count);
    } catch (EOFException e) {
      throw wrong("it ends too early", count);
    }
    return count;
  }

  private static void put(DataInputStream in, int keyLength, Store into, long count)
      throws IOException {
    int valueLength = in.readInt();
    if (keyLength < 0 || keyLength > 1024 || valueLength < 0 || valueLength > Limits.MAX_VALUE) {
      throw wrong("an entry has lengths of " + keyLength + " and " + valueLength, count);
    }
    byte[] key = in.readNBytes(keyLength);
    byte[] value = in.readNBytes(valueLength);
    if (key.length < keyLength || value.length < valueLength) {
      throw new EOFException();
    }
    into.put(key, value);
  }

  private static void checkEnd(DataInputStream in, CheckedInputStream checked, long count)
      throws IOException {
    long said = in.readLong();
    int checksum = (int) checked.getChecksum().getValue();
    if (said != count || in.readInt() != checksum) {
      throw wrong("its count or checksum is not that of what it holds", count);
    }
  }

  private static StoreException wrong(String what, long count) {
    return new StoreException(
        Reason.DAMAGED,
        "this is no whole export of a store: " + what + "; " + count + " keys were imported");
  }
}
