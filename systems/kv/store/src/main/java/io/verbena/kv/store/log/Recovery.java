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
  private final int epoch;
  private long lastSequence;
  private long readTo; // the last operation of whole records of a segment
  private @Nullable String cut;
  private long[] there = {}; // the segments that have a file, in their order

  /**
   * @param epoch of the life that wrote the tail
   * @param replayed the sequence number up to which trees have the log
   */
  public Recovery(Segments segments, int region, int epoch, long replayed, Record.Operations into) {
    this.epoch = epoch;
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
    there = segments.list();
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

  /** Reads a segment whose length is known, and refuses it if a part of that is not whole. */
  public static void readWhole(
      Segments segments, int region, LogSegment segment, MemorySegment image) throws IOException {
    long number = segment.number();
    int size = segments.read(number, 0, image.asSlice(0, segment.used()).asByteBuffer());
    if (!LogHeader.isWhole(image.asSlice(0, size), region, number)) {
      throw new Damage(
          segments.describe(number), 0, "the segment's header is not that of this segment");
    }
    int at = LogHeader.BYTES;
    while (at < segment.used()) {
      int bytes = Record.wholeBytes(image, number, at, size);
      if (bytes == 0) {
        throw new Damage(
            segments.describe(number),
            at,
            "the record that begins here is not whole; its values are lost, others can be read");
      }
      at += bytes;
    }
  }

  /** Gives all operations of a segment that was read whole. */
  public static void give(MemorySegment image, LogSegment segment, Record.Operations into)
      throws IOException {
    Operation operation = new Operation(image);
    int at = LogHeader.BYTES;
    while (at < segment.used()) {
      at += Record.read(operation, segment.number(), at, into);
    }
  }

  private boolean isThere(long number) {
    return Arrays.binarySearch(there, number) >= 0;
  }

  private int read(long number, MemorySegment image) throws IOException {
    return segments.read(number, 0, image.asByteBuffer());
  }

  /** Gives the operations of all whole records from the first one on. Says where these end. */
  private int replay(long number, MemorySegment image, int size) throws IOException {
    Operation operation = new Operation(image);
    int at = LogHeader.BYTES;
    for (int bytes = 1; bytes > 0; at += bytes) {
      bytes = Record.wholeBytes(image, number, at, size);
      long last = bytes == 0 ? 0 : Record.sequence(image, at) + Record.count(image, at) - 1;
      readTo = Math.max(readTo, last);
      if (last > lastSequence) {
        int count = Record.count(image, at);
        Record.readSome(
            operation, number, at, Planted.HALF_BATCH.here() ? (count + 1) / 2 : count, into);
        lastSequence = last;
      }
    }
    return at;
  }

  private void readTail(long last, @Nullable LogSegment open, MemorySegment image)
      throws IOException {
    Map<Long, Long> next = successors(last, image);
    Long number = open != null ? (Long) last : next.get(last);
    long at = last;
    int end = 0;
    int size = 0;
    boolean whole = true;
    while (number != null && whole) {
      at = number;
      size = isThere(at) ? read(at, image) : 0; // its name may have been lost
      end =
          readOfTail(
              at,
              size,
              image,
              open != null && open.number() == at ? open : LogSegment.begun(at, 0));
      number = next.get(at);
      whole = number == null ? end == size : end == usedBySuccessor(number);
    }
    checkRest(at, whole ? size : end, size);
  }

  /** Gives what is whole of a segment of the tail. Says where that ends. */
  private int readOfTail(long number, int size, MemorySegment image, LogSegment known)
      throws IOException {
    boolean begun = LogHeader.isWhole(image.asSlice(0, size), region, number);
    long after = lastSequence;
    readTo = 0;
    int end = begun ? replay(number, image, size) : 0;
    if (readTo < known.lastSequence() || (!begun && known.live() > 0)) {
      throw damage(
          number,
          end,
          "the log was durable up to " + known.lastSequence() + ", and is whole up to " + readTo);
    }
    if (begun) {
      found.add(new LogSegment(number, end, after, lastSequence, known.live()));
    }
    return end;
  }

  /**
   * Which segment says of which other one that it comes before; of the last life's files from a
   * number on.
   */
  private Map<Long, Long> successors(long from, MemorySegment image) throws IOException {
    Map<Long, Long> next = new HashMap<>();
    MemorySegment head = image.asSlice(0, LogHeader.BYTES);
    for (long number : ofThisLife(from)) {
      if (segments.read(number, 0, head.asByteBuffer()) == LogHeader.BYTES
          && LogHeader.isWhole(head, region, number)) {
        next.put(LogHeader.previous(head), number);
      }
    }
    return next;
  }

  private long[] ofThisLife(long behind) {
    return Arrays.stream(there)
        .filter(number -> number > behind && number >>> Segments.COUNTER_BITS == epoch)
        .toArray();
  }

  private int usedBySuccessor(long number) throws IOException {
    MemorySegment head = MemorySegment.ofArray(new byte[LogHeader.BYTES]);
    segments.read(number, 0, head.asByteBuffer());
    return LogHeader.previousUsed(head);
  }

  /** Looks at what lies behind the end of the log: nothing, if all is well. */
  private void checkRest(long number, int end, int size) throws IOException {
    long[] behind = ofThisLife(number);
    long first = end < size || behind.length == 0 ? number : behind[0];
    long proof = end < size ? durableBeyond(number, end) : 0;
    for (long each : behind) {
      proof = Math.max(proof, durableBeyond(each, LogHeader.BYTES));
    }
    if (proof > lastSequence) {
      throw damage(
          first,
          first == number ? end : 0,
          "the log was durable up to operation " + proof + ", and is whole up to " + lastSequence);
    }
    if (end < size || behind.length > 0) {
      cut =
          segments.describe(first)
              + ", offset "
              + (first == number ? end : 0)
              + ": "
              + (size - end)
              + " bytes and "
              + behind.length
              + " segments behind them, which were not written whole";
    }
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
