// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

/**
 * One state of a key, as tables and trees hold it. Entries are ordered by key, and of one key the
 * newest comes first. Their word is the sequence number of the write in the log and, in the low
 * byte, the kind; so words of one key are ordered as the writes were. An entry's version, which
 * users see, is its sequence number, but for a value that was moved: that one keeps its version,
 * which stands in its {@link Location}.
 */
public final class Entry {
  /** The value lies in the entry. */
  public static final int VALUE = 1;

  /** The entry holds a {@link Location} of the value in the log. */
  public static final int PLACE = 2;

  /** The key was deleted. */
  public static final int TOMBSTONE = 3;

  /** Comes before every entry of its key. */
  public static final long NEWEST = -1L;

  public static final int MAX_KEY = 1024;
  public static final int MAX_INLINE = 1024;

  private Entry() {}

  public static long word(long sequence, int kind) {
    return sequence << 8 | kind;
  }

  public static long sequence(long word) {
    return word >>> 8;
  }

  public static int kind(long word) {
    return (int) word & 0xff;
  }

  /** What a reader looks for that sees the writes up to a sequence number. */
  public static long upTo(long sequence) {
    return sequence << 8 | 0xff;
  }
}
