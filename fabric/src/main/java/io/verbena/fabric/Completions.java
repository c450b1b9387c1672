// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.Calls;
import io.verbena.natives.FabricStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * What {@link Fabric#poll} brings: a buffer that is used again and again. Of one thread at a time;
 * each poll replaces what was there.
 */
public final class Completions {

  private static final long BYTES = FabricStructs.DONE.byteSize();
  private static final long COOKIE = offset("cookie");
  private static final long OFFSET = offset("offset");
  private static final long LENGTH = offset("length");
  private static final long KEY = offset("key");
  private static final long PEER = offset("peer");
  private static final long OUTCOME = offset("outcome");
  private static final int SENTENCE_BYTES = 512;

  private final int capacity;
  private final MemorySegment array;
  private int count;

  /** With room for so many. */
  public Completions(int capacity) {
    this.capacity = Limits.atLeast("the room of Completions", capacity, 1);
    this.array = Arena.ofAuto().allocate(BYTES * capacity, Long.BYTES);
  }

  /** Polls; the fabric stays open meanwhile. */
  int fill(MemorySegment fabric) {
    try {
      count = (int) Functions.POLL.invokeExact(fabric, array, capacity);
      return count;
    } catch (Throwable e) {
      throw Functions.impossible(e);
    }
  }

  /** How many the last poll has brought. */
  public int count() {
    return count;
  }

  /** What the operation was given. */
  public long cookie(int index) {
    return array.get(ValueLayout.JAVA_LONG, at(index) + COOKIE);
  }

  /** How it ended. */
  public Outcome outcome(int index) {
    return Outcome.of(array.get(ValueLayout.JAVA_INT, at(index) + OUTCOME));
  }

  /** Whether it was executed. */
  public boolean isDone(int index) {
    return array.get(ValueLayout.JAVA_INT, at(index) + OUTCOME) == 0;
  }

  /** The node that it went to. */
  public int peer(int index) {
    return array.get(ValueLayout.JAVA_INT, at(index) + PEER);
  }

  /** The number of the key that it went to, {@link RegionKey#rkey}. */
  public int rkey(int index) {
    return array.get(ValueLayout.JAVA_INT, at(index) + KEY);
  }

  /** Where in what the key names, in bytes. */
  public long offset(int index) {
    return array.get(ValueLayout.JAVA_LONG, at(index) + OFFSET);
  }

  /** How many bytes it was asked to move. */
  public long length(int index) {
    return array.get(ValueLayout.JAVA_LONG, at(index) + LENGTH);
  }

  /** What became of it, for people: operation, peer, key, offset and length. */
  public String sentence(int index) {
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment text = scratch.allocate(SENTENCE_BYTES);
      Calls.call(Functions.SENTENCE, array.asSlice(at(index), BYTES), text, text.byteSize());
      return text.getString(0);
    }
  }

  private long at(int index) {
    return Objects.checkIndex(index, count) * BYTES;
  }

  private static long offset(String member) {
    return FabricStructs.DONE.byteOffset(PathElement.groupElement(member));
  }
}
