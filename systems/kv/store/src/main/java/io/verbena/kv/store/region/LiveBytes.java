// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.index.Cursor;
import io.verbena.kv.store.index.Entry;
import io.verbena.kv.store.index.Location;
import io.verbena.kv.store.log.Operation;
import java.util.HashMap;
import java.util.Map;

/** By how much a commit changes the bytes of the log, of each segment, that trees lead to. */
final class LiveBytes {
  private final Map<Long, Long> change = new HashMap<>();

  void add(Cursor entry) {
    count(entry, 1);
  }

  void remove(Cursor entry) {
    count(entry, -1);
  }

  private void count(Cursor entry, int sign) {
    if (Entry.kind(entry.word) == Entry.PLACE) {
      boolean moved = Location.version(entry.memory, entry.value) != Entry.sequence(entry.word);
      int bytes =
          Operation.bytes(
              moved ? Operation.MOVE : Operation.PUT,
              entry.keyLength,
              Location.length(entry.memory, entry.value));
      change.merge(Location.segment(entry.memory, entry.value), (long) sign * bytes, Long::sum);
    }
  }

  long of(long segment) {
    return change.getOrDefault(segment, 0L);
  }
}
