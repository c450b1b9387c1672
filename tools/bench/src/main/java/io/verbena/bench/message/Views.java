// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.message;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The layouts of messages that are written and read in place. */
public sealed interface Views {

  /** Writes a message. */
  void write(long stamp, MemorySegment to, long offset);

  /** The stamp of a message. */
  long stamp(MemorySegment from, long offset);

  /** Whether the rest of a message is what follows from its stamp. */
  boolean isIntact(long stamp, MemorySegment from, long offset);

  /** The layout of messages of this size. */
  static Views ofSize(int sizeBytes) {
    return switch (sizeBytes) {
      case Tick.SIZE_BYTES -> new SixtyFour();
      case 1, 2, 3, 4, 5, 6, 7 ->
          new Tiny(StampFormat.ofMessages(sizeBytes).sizeBytes(), sizeBytes);
      default -> new Bulk(new Payloads(sizeBytes - Long.BYTES));
    };
  }

  /** The words of a {@link Tick}. */
  record SixtyFour() implements Views {
    private static final ValueLayout.OfLong LONG =
        ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    @Override
    public void write(long stamp, MemorySegment to, long offset) {
      long seed = Words.seed(stamp);
      to.set(LONG, offset, stamp);
      to.set(LONG, offset + 8, seed);
      to.set(LONG, offset + 16, Words.word(seed, 1));
      to.set(LONG, offset + 24, Words.word(seed, 2));
      to.set(LONG, offset + 32, Words.word(seed, 3));
      to.set(LONG, offset + 40, Words.word(seed, 4));
      to.set(LONG, offset + 48, Words.word(seed, 5));
      to.set(LONG, offset + 56, Words.word(seed, 6));
    }

    @Override
    public long stamp(MemorySegment from, long offset) {
      return from.get(LONG, offset);
    }

    @Override
    public boolean isIntact(long stamp, MemorySegment from, long offset) {
      long seed = Words.seed(stamp);
      long wrong =
          (from.get(LONG, offset + 8) ^ seed)
              | (from.get(LONG, offset + 16) ^ Words.word(seed, 1))
              | (from.get(LONG, offset + 24) ^ Words.word(seed, 2))
              | (from.get(LONG, offset + 32) ^ Words.word(seed, 3))
              | (from.get(LONG, offset + 40) ^ Words.word(seed, 4))
              | (from.get(LONG, offset + 48) ^ Words.word(seed, 5))
              | (from.get(LONG, offset + 56) ^ Words.word(seed, 6));
      return wrong == 0;
    }
  }

  /** A stamp and the payload that belongs to it. */
  record Bulk(Payloads payloads) implements Views {
    @Override
    public void write(long stamp, MemorySegment to, long offset) {
      to.set(SixtyFour.LONG, offset, stamp);
      payloads.write(stamp, to, offset + Long.BYTES);
    }

    @Override
    public long stamp(MemorySegment from, long offset) {
      return from.get(SixtyFour.LONG, offset);
    }

    @Override
    public boolean isIntact(long stamp, MemorySegment from, long offset) {
      return payloads.isIntact(stamp, from, offset + Long.BYTES);
    }
  }

  /** A stamp of 1, 2 or 4 bytes; what follows it is zero. */
  record Tiny(int stampBytes, int sizeBytes) implements Views {
    @Override
    public void write(long stamp, MemorySegment to, long offset) {
      for (int i = 0; i < sizeBytes; i++) {
        long word = i < stampBytes ? stamp : 0;
        to.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (word >>> (8 * i)));
      }
    }

    @Override
    public long stamp(MemorySegment from, long offset) {
      long stamp = 0;
      for (int i = 0; i < stampBytes; i++) {
        stamp |= (from.get(ValueLayout.JAVA_BYTE, offset + i) & 0xFFL) << (8 * i);
      }
      return stamp;
    }

    @Override
    public boolean isIntact(long stamp, MemorySegment from, long offset) {
      return true;
    }
  }
}
