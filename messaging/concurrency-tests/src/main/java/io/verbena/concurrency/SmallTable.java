// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.kv.store.base.Bytes;
import io.verbena.kv.store.index.Cursor;
import io.verbena.kv.store.index.Entry;
import io.verbena.kv.store.index.Found;
import io.verbena.kv.store.index.MemoryTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A table with a few entries, to which one thread adds while another one looks. Every value is the
 * number of its entry, eight times. A reader sees all that was published before it began.
 */
class SmallTable {
  /** Of a look-up that found a value that was never written. */
  static final long WRONG = -1;

  private static final int COPIES = 8;
  private static final int SLOTS = 32; // of a table for 16 pairs

  final MemoryTable table = new MemoryTable(MemorySegment.ofArray(new long[256]), 16, () -> {});
  private volatile long published;

  /** The next name whose key has the same place in the hash table. */
  static int sameSlotAs(int name) {
    int other = name + 1;
    while ((hash(other) - hash(name)) % SLOTS != 0) {
      other++;
    }
    return other;
  }

  private static long hash(int name) {
    return Bytes.hash(key(name), 0, 1);
  }

  static MemorySegment key(int name) {
    return MemorySegment.ofArray(new byte[] {(byte) name});
  }

  /** Adds an entry, and says so. */
  void add(int name, long number) {
    long[] value = new long[COPIES];
    Arrays.fill(value, number);
    long word = Entry.word(number, Entry.VALUE);
    table.add(key(name), 0, 1, word, MemorySegment.ofArray(value), 0, 8 * COPIES);
    published = number;
  }

  /** Up to which entry a reader that begins now sees all. */
  long published() {
    return published;
  }

  /** The number of the newest entry of a key that is not newer than another one; 0 for none. */
  long find(int name, long upTo) {
    MemorySegment key = key(name);
    Found found = new Found(null);
    if (!table.get(key, 0, 1, Bytes.hash(key, 0, 1), Entry.upTo(upTo), found)) {
      return 0;
    }
    return isWhole(MemorySegment.ofArray(found.bytes()), 0, found.version())
        ? found.version()
        : WRONG;
  }

  /** The names from one on, in their order; a question mark for one whose value is not whole. */
  String walk(int first) {
    StringBuilder names = new StringBuilder();
    Cursor cursor = table.cursor();
    try {
      for (boolean more = cursor.seek(key(first), 0, 1, Entry.NEWEST); more; more = cursor.next()) {
        boolean whole = isWhole(cursor.memory, cursor.value, Entry.sequence(cursor.word));
        names.append(whole ? (char) cursor.memory.get(JAVA_BYTE, cursor.key) : '?');
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cursors of tables read no file
    }
    return names.toString();
  }

  /** Whether a value is that of an entry. */
  private static boolean isWhole(MemorySegment value, long at, long number) {
    for (int i = 0; i < COPIES; i++) {
      if (value.get(Bytes.LONG, at + 8L * i) != number) {
        return false;
      }
    }
    return true;
  }
}
