// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.base.Bytes;
import io.verbena.kv.store.base.Damage;
import io.verbena.kv.store.disk.Segments;
import io.verbena.kv.store.index.Entry;
import io.verbena.kv.store.index.Found;
import io.verbena.kv.store.log.Log;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Looks a key up in tables and trees, from the newest to the oldest. Any thread. */
final class Reader {
  private final View.Chain views;
  private final Segments logFiles;
  private final Log log;

  Reader(View.Chain views, Segments logFiles, Log log) {
    this.views = views;
    this.logFiles = logFiles;
    this.log = log;
  }

  /**
   * The newest entry of a key.
   *
   * @param length of the key, with which the memory begins
   * @param word made by {@link Entry#upTo}: newer ones are passed over
   */
  static boolean find(View view, MemorySegment key, int length, long word, Found found)
      throws IOException {
    long hash = Bytes.hash(key, 0, length);
    for (int i = 0; i < view.tables.size(); i++) {
      if (view.tables.get(i).get(key, 0, length, hash, word, found)) {
        return true;
      }
    }
    for (int i = 0; i < view.trees.size(); i++) {
      if (view.trees.get(i).get(key, 0, length, hash, word, found)) {
        return true;
      }
    }
    return false;
  }

  /** The newest entry of a key of all that were applied. */
  boolean find(MemorySegment key, Found found) throws IOException {
    View view = views.pin();
    try {
      // asked after the view was pinned: no tree of it has a newer write
      return find(view, key, (int) key.byteSize(), Entry.upTo(log.applied()), found);
    } finally {
      view.unpin();
    }
  }

  /** Reads a value that lies in the log. The view that it was found in is still pinned. */
  void readValue(Found found) throws IOException {
    if (found.kind() != Entry.PLACE) {
      return;
    }
    if (!found.isPlace()) {
      throw lost(found);
    }
    ByteBuffer into = found.room();
    if (into == null) {
      return;
    }
    int read = logFiles.read(found.segment(), found.offset(), into);
    if (read < found.length() || !found.isWhole(into.flip())) {
      throw lost(found);
    }
  }

  private Damage lost(Found found) {
    return new Damage(
        logFiles.describe(found.segment()),
        found.offset(),
        "the value of " + found.length() + " bytes is not what was written; it is lost");
  }
}
