// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.log;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.kv.store.base.Bytes;
import io.verbena.kv.store.base.Checksum;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * An operation of a record, where it lies in a segment's image: kind (1 byte), key length (2),
 * value length (4), of a move the value's version (8), key, value. One object goes from one
 * operation to the next.
 */
public final class Operation {
  public static final int PUT = 1;
  public static final int DELETE = 2;

  /** A put of a value that was there before, at another place and with this version. */
  public static final int MOVE = 3;

  static final int HEAD = 7;
  static final int VERSION = 8;

  private final MemorySegment memory;
  private final ByteBuffer bytes;
  private final Checksum checksum = new Checksum();
  private long segment;
  private int kind;
  private long sequence;
  private long version;
  private int key;
  private int keyLength;
  private int valueLength;

  /**
   * @param image in which offsets are those in the segment
   */
  Operation(MemorySegment image) {
    this.memory = image;
    this.bytes = image.asByteBuffer();
  }

  /** The bytes that an operation takes. */
  public static int bytes(int kind, int keyLength, int valueLength) {
    return HEAD + (kind == MOVE ? VERSION : 0) + keyLength + valueLength;
  }

  /** Writes all but key and value, and says where the key begins. */
  public static long writeHead(
      MemorySegment memory, long at, int kind, long version, int keyLength, int valueLength) {
    memory.set(JAVA_BYTE, at, (byte) kind);
    memory.set(Bytes.SHORT, at + 1, (short) keyLength);
    memory.set(Bytes.INT, at + 3, valueLength);
    if (kind == MOVE) {
      memory.set(Bytes.LONG, at + HEAD, version);
    }
    return keyOf(kind, at);
  }

  /** Writes an operation, and says where the next one begins. */
  public static long write(
      MemorySegment memory,
      long at,
      int kind,
      long version,
      MemorySegment key,
      MemorySegment value) {
    int keyLength = (int) key.byteSize();
    int valueLength = (int) value.byteSize();
    long keyAt = writeHead(memory, at, kind, version, keyLength, valueLength);
    MemorySegment.copy(key, 0, memory, keyAt, keyLength);
    MemorySegment.copy(value, 0, memory, keyAt + keyLength, valueLength);
    return keyAt + keyLength + valueLength;
  }

  private static long keyOf(int kind, long at) {
    return at + HEAD + (kind == MOVE ? VERSION : 0);
  }

  /** Goes to an operation that is whole, and says where the next one begins. */
  int goTo(long segment, int at, long sequence) {
    this.segment = segment;
    this.sequence = sequence;
    kind = memory.get(JAVA_BYTE, at);
    keyLength = Bytes.unsignedShort(memory, at + 1);
    valueLength = memory.get(Bytes.INT, at + 3);
    version = kind == MOVE ? memory.get(Bytes.LONG, at + HEAD) : sequence;
    key = (int) keyOf(kind, at);
    return key + keyLength + valueLength;
  }

  /** The image of its segment. */
  public MemorySegment memory() {
    return memory;
  }

  /** The number of its segment. */
  public long segment() {
    return segment;
  }

  public int kind() {
    return kind;
  }

  public long sequence() {
    return sequence;
  }

  public long version() {
    return version;
  }

  /** Where its key begins. */
  public int key() {
    return key;
  }

  public int keyLength() {
    return keyLength;
  }

  /** Where its value begins. */
  public int value() {
    return key + keyLength;
  }

  public int valueLength() {
    return valueLength;
  }

  /** The checksum of its value at its place. */
  public int valueChecksum() {
    int value = value();
    return checksum.of(segment, value, bytes.limit(value + valueLength).position(value));
  }
}
