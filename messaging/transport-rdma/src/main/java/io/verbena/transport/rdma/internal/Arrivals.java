// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma.internal;

import io.verbena.natives.Structs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What one round brought: an array of {@link Structs#ARRIVAL}. Of whoever does the rounds. */
public final class Arrivals {

  /** As many as are handed out at once. */
  static final int ROOM = 64;

  private static final long BYTES = Structs.ARRIVAL.byteSize();
  private static final long LINK = offset("link");
  private static final long POSITION = offset("position");
  private static final long STREAM = offset("stream");
  private static final long LENGTH = offset("bytes");
  private static final long PIECE_COUNT = offset("piece_count");
  private static final long PIECES = offset("pieces");
  private static final long PIECE_BYTES = 16;

  /** All of memory: pieces lie anywhere in the library's buffers. */
  private static final MemorySegment EVERYWHERE = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private final MemorySegment array;

  Arrivals(Arena arena) {
    array = arena.allocate(BYTES * ROOM, 8);
  }

  MemorySegment array() {
    return array;
  }

  /** The link that brought it. */
  public long link(int index) {
    return array.get(ValueLayout.JAVA_LONG, index * BYTES + LINK);
  }

  /** Of the first byte, in its stream. */
  public long position(int index) {
    return array.get(ValueLayout.JAVA_LONG, index * BYTES + POSITION);
  }

  /** 0 for control, else the lane's id plus 1. */
  public int stream(int index) {
    return array.get(ValueLayout.JAVA_INT, index * BYTES + STREAM);
  }

  /** How many bytes came. */
  public int length(int index) {
    return array.get(ValueLayout.JAVA_INT, index * BYTES + LENGTH);
  }

  /** In how many pieces they lie. */
  public int pieceCount(int index) {
    return array.get(ValueLayout.JAVA_INT, index * BYTES + PIECE_COUNT);
  }

  /** The memory that {@link #pieceStart} is an offset into; valid until the next round. */
  public MemorySegment memory() {
    return EVERYWHERE;
  }

  /** Where a piece begins. */
  public long pieceStart(int index, int piece) {
    return array.get(ValueLayout.JAVA_LONG, pieceOffset(index, piece));
  }

  /** A piece's length. */
  public int pieceLength(int index, int piece) {
    return (int) array.get(ValueLayout.JAVA_LONG, pieceOffset(index, piece) + 8);
  }

  private static long pieceOffset(int index, int piece) {
    return index * BYTES + PIECES + piece * PIECE_BYTES;
  }

  private static long offset(String member) {
    return Structs.ARRIVAL.byteOffset(PathElement.groupElement(member));
  }
}
