// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.log;

import io.verbena.kv.store.base.Damage;
import io.verbena.kv.store.base.Planted;
import io.verbena.kv.store.disk.Segments;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log after a start, and gives the operations that are in no tree. Segments that the
 * manifest knows to their end must be whole. Behind them comes the tail: what was written since. It
 * ends with the first record that is not whole, if nothing says that more was durable: every record
 * tells how far the log was durable when it was written, so a whole one further behind that names a
 * later operation proves that bytes were changed or lost.
 */
public final class Recovery {
  private final Segments segments;
  private final int region;
  private final Record.Operations into;
  private final List<LogSegment> found = new ArrayList<>();
  private long lastSequence;
  private @Nullable String cut;

  /**
   * @param replayed the sequence number up to which trees have the log
   */
  public Recovery(Segments segments, int region, long replayed, Record.Operations into) {
    this.segments = segments;
    this.region = region;
    this.lastSequence = replayed;
    this.into = into;
  }

  /** All segments of the log that count, in their order, each with its length. */
  public List<LogSegment> segments() {
    return found;
  }

  public long lastSequence() {
    return lastSequence;
  }

  /** What was cut off the end because it was not written whole, and where; null if nothing was. */
  public @Nullable String cut() {
    return cut;
  }

  /**
   * @param known the segments that the manifest names, in their order
   * @param lastNumber of the last segment that it knows to have been there
   */
  public void run(List<LogSegment> known, long lastNumber) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment image = arena.allocate(Segments.BYTES, 4096);
      LogSegment open = null;
      for (LogSegment segment : known) {
        if (segment.isOpen()) {
          open = segment; // the last one
        } else {
          readKnown(segment, image);
        }
      }
      readTail(lastNumber, open, image);
    }
  }

  private void readKnown(LogSegment segment, MemorySegment image) throws IOException {
    found.add(segment);
    if (segment.lastSequence() <= lastSequence) {
      return;
    }
    int size = read(segment.number(), image);
    int end =
        size < LogHeader.BYTES
            ? 0
            : replay(segment.number(), image, Math.min(size, segment.used()));
    if (end != segment.used()) {
      throw damage(segment.number(), end, "the log must be whole up to " + segment.used());
    }
  }

  /** Gives all operations of a segment whose length is known. */
  public static void readWhole(
      Segments segments, LogSegment segment, MemorySegment image, Record.Operations into)
      throws IOException {
    long number = segment.number();
    int size = segments.get(number).read(0, image.asSlice(0, segment.used()));
    int at = LogHeader.BYTES;
    while (at < segment.used()) {
      if (Record.wholeBytes(image, number, at, size) == 0) {
        throw new Damage(
            segments.describe(number),
            at,
            "no whole record begins here; the values behind are lost");
      }
      at += Record.read(image, number, at, into);
    }
  }

  private boolean isThere(long number) throws IOException {
    return Arrays.binarySearch(segments.list(), number) >= 0;
  }

  private int read(long number, MemorySegment image) throws IOException {
    return segments.get(number).read(0, image);
  }

  /** Gives the operations of all whole records from the first one on. Says where these end. */
  private int replay(long number, MemorySegment image, int size) throws IOException {
    int at = LogHeader.BYTES;
    for (int bytes = 1; bytes > 0; at += bytes) {
      bytes = Record.wholeBytes(image, number, at, size);
      long last = bytes == 0 ? 0 : Record.sequence(image, at) + Record.count(image, at) - 1;
      if (last > lastSequence) {
        int count = Record.count(image, at);
        Record.readSome(
            image, number, at, Planted.HALF_BATCH.here() ? (count + 1) / 2 : count, into);
        lastSequence = last;
      }
    }
    return at;
  }

  private void readTail(long last, @Nullable LogSegment open, MemorySegment image)
      throws IOException {
    Map<Long, Long> next = successors(last, image);
    Long number = open != null ? (Long) last : next.get(last);
    while (number != null) {
      int size = isThere(number) ? read(number, image) : 0; // its name may have been lost
      boolean begun = LogHeader.isWhole(image.asSlice(0, size), region, number);
      int end = begun ? replay(number, image, size) : 0;
      long live = open != null && open.number() == number ? open.live() : 0;
      if (begun) {
        found.add(new LogSegment(number, end, lastSequence, live));
      } else if (live > 0) {
        throw damage(number, 0, "the values in it, of " + live + " bytes, are lost");
      }
      Long after = next.get(number);
      if (after == null ? end < size : end != usedBySuccessor(after)) {
        endTail(number, end, size, after, next);
        return;
      }
      number = after;
    }
  }

  /**
   * Which segment says of which other one that it comes before; of the log's files from a number
   * on.
   */
  private Map<Long, Long> successors(long from, MemorySegment image) throws IOException {
    Map<Long, Long> next = new HashMap<>();
    MemorySegment head = image.asSlice(0, LogHeader.BYTES);
    for (long number : segments.list()) {
      if (number > from
          && segments.get(number).read(0, head) == LogHeader.BYTES
          && LogHeader.isWhole(head, region, number)) {
        next.put(LogHeader.previous(head), number); // of several the last one: its life came last
      }
    }
    return next;
  }

  private int usedBySuccessor(long number) throws IOException {
    MemorySegment head = MemorySegment.ofArray(new byte[LogHeader.BYTES]);
    segments.get(number).read(0, head);
    return LogHeader.previousUsed(head);
  }

  private void endTail(long number, int end, int size, @Nullable Long after, Map<Long, Long> next)
      throws IOException {
    for (Long each = (Long) number; each != null; each = next.get(each)) {
      long proof = durableBeyond(each, each == number ? end : LogHeader.BYTES);
      if (proof > lastSequence) {
        throw damage(
            number,
            end,
            "the log was durable up to operation "
                + proof
                + ", and is whole up to "
                + lastSequence);
      }
    }
    cut =
        segments.describe(number)
            + ", offset "
            + end
            + ": "
            + (size - end)
            + " bytes that were not written whole"
            + (after == null ? "" : ", and the segments behind this one");
  }

  /** The latest operation that a whole record behind a position calls durable. */
  private long durableBeyond(long number, int from) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment image = arena.allocate(Segments.BYTES, 4096);
      int size = isThere(number) ? read(number, image) : 0;
      long proof = 0;
      for (int at = from; at < size; ) {
        int bytes = Record.wholeBytes(image, number, at, size);
        if (bytes > 0) {
          proof = Math.max(proof, Record.durable(image, at));
        }
        at += Math.max(8, bytes);
      }
      return proof;
    }
  }

  private Damage damage(long number, int end, String what) {
    return new Damage(segments.describe(number), end, "no whole record begins here; " + what);
  }
}
