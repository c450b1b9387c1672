// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.kv.store.base.Checksum;
import io.verbena.kv.store.disk.Segments;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a look-up has found: the entry's word, its value if that lies there, or else its location in
 * the log.
 */
public final class Found {
  private final Checksum checksums = new Checksum();
  private @Nullable MemorySegment target;
  private byte @Nullable [] bytes;
  private long word;
  private long version;
  private long segment;
  private int offset;
  private int length;
  private int checksum;

  /** Values are copied to the target if they fit there; without one, to a new array. */
  public Found(@Nullable MemorySegment target) {
    this.target = target;
  }

  /** Forgets what was found. */
  public void reset(@Nullable MemorySegment target) {
    this.target = target;
    bytes = null;
  }

  /** Takes over what an entry says, before its memory is given back. */
  public void take(long word, MemorySegment memory, long value, int valueLength) {
    this.word = word;
    this.version = Entry.sequence(word);
    switch (Entry.kind(word)) {
      case Entry.VALUE -> copy(memory, value, valueLength);
      case Entry.PLACE -> {
        segment = Location.segment(memory, value);
        offset = Location.offset(memory, value);
        length = Location.length(memory, value);
        checksum = Location.checksum(memory, value);
        version = Location.version(memory, value);
      }
      default -> length = 0;
    }
  }

  private void copy(MemorySegment memory, long value, int valueLength) {
    length = valueLength;
    if (target != null) {
      if (valueLength <= target.byteSize()) {
        MemorySegment.copy(memory, value, target, 0, valueLength);
      }
    } else {
      bytes = new byte[valueLength];
      MemorySegment.copy(memory, JAVA_BYTE, value, bytes, 0, valueLength);
    }
  }

  public int kind() {
    return Entry.kind(word);
  }

  public long version() {
    return version;
  }

  public long sequence() {
    return Entry.sequence(word);
  }

  /** The number of the log segment with the value. */
  public long segment() {
    return segment;
  }

  /** Where in the segment the value begins. */
  public int offset() {
    return offset;
  }

  /** The value's length in bytes, wherever it lies. */
  public int length() {
    return length;
  }

  /** That of the value at its place. */
  int checksum() {
    return checksum;
  }

  /** Whether a segment of the log may have a value there. */
  public boolean isPlace() {
    return offset >= 0 && length >= 0 && length <= Segments.BYTES - offset;
  }

  /** Whether bytes that were read from the log are the value. */
  public boolean isWhole(ByteBuffer bytes) {
    return checksums.of(segment, offset, bytes) == checksum;
  }

  /** Where the value is to be read to; null if it does not fit there. */
  public @Nullable ByteBuffer room() {
    if (target == null) {
      bytes = new byte[length];
      return ByteBuffer.wrap(bytes);
    }
    return length <= target.byteSize() ? target.asSlice(0, length).asByteBuffer() : null;
  }

  public byte @Nullable [] bytes() {
    return bytes;
  }

  public boolean isAt(long segment, int offset) {
    return kind() == Entry.PLACE && this.segment == segment && this.offset == offset;
  }
}
