// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.FabricStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * What {@link Fabric#pollSignals} brings: puts with a signal that have arrived, those of a link in
 * their order, their bytes in memory. Of one thread at a time; each poll replaces what was there.
 */
public final class Signals {

  private static final long BYTES = FabricStructs.SIGNAL.byteSize();
  private static final long PEER = offset("peer");
  private static final long VALUE = offset("value");

  private final int capacity;
  private final MemorySegment array;
  private int count;

  /** With room for so many. */
  public Signals(int capacity) {
    this.capacity = Limits.atLeast("the room of Signals", capacity, 1);
    this.array = Arena.ofAuto().allocate(BYTES * capacity, Long.BYTES);
  }

  /** Polls; the fabric stays open meanwhile. */
  int fill(MemorySegment fabric) {
    try {
      count = (int) Functions.SIGNALS.invokeExact(fabric, array, capacity);
      return count;
    } catch (Throwable e) {
      throw Functions.impossible(e);
    }
  }

  /** How many the last poll has brought. */
  public int count() {
    return count;
  }

  /** Whose put it was. */
  public int peer(int index) {
    return array.get(ValueLayout.JAVA_INT, at(index) + PEER);
  }

  /** The number that the put had. */
  public int value(int index) {
    return array.get(ValueLayout.JAVA_INT, at(index) + VALUE);
  }

  private long at(int index) {
    return Objects.checkIndex(index, count) * BYTES;
  }

  private static long offset(String member) {
    return FabricStructs.SIGNAL.byteOffset(PathElement.groupElement(member));
  }
}
