// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One C struct in native memory, its members taken by name.
 *
 * @param layout one of {@link Structs}
 * @param memory lives as long as the arena it was allocated in
 */
public record Struct(StructLayout layout, MemorySegment memory) {

  /** All zero but for its size. */
  public static Struct allocate(StructLayout layout, Arena arena) {
    Struct struct = new Struct(layout, arena.allocate(layout));
    struct.setInt(Structs.STRUCT_BYTES, Math.toIntExact(layout.byteSize()));
    return struct;
  }

  /** A 32-bit member. */
  public int getInt(String member) {
    return memory.get(ValueLayout.JAVA_INT, offset(member));
  }

  /** A flag: an integer that is not 0. */
  public boolean getFlag(String member) {
    return getInt(member) != 0;
  }

  /** A 64-bit member. */
  public long getLong(String member) {
    return memory.get(ValueLayout.JAVA_LONG, offset(member));
  }

  /** A floating-point member. */
  public double getDouble(String member) {
    return memory.get(ValueLayout.JAVA_DOUBLE, offset(member));
  }

  /** All members but the size, by name; they must be integers. */
  public Map<String, Long> numbers() {
    return layout.memberLayouts().stream()
        .map(member -> member.name().orElseThrow())
        .filter(member -> !member.equals(Structs.STRUCT_BYTES))
        .collect(Collectors.toUnmodifiableMap(member -> member, this::getNumber));
  }

  private long getNumber(String member) {
    return layout.select(groupElement(member)).byteSize() == Long.BYTES
        ? getLong(member)
        : Integer.toUnsignedLong(getInt(member));
  }

  /** An array of bytes that holds a text and a zero byte. */
  public String getText(String member) {
    long bytes = layout.select(groupElement(member)).byteSize();
    return memory.asSlice(offset(member), bytes).getString(0);
  }

  /** Sets a 32-bit member. */
  public void setInt(String member, int value) {
    memory.set(ValueLayout.JAVA_INT, offset(member), value);
  }

  /** Sets a 64-bit member. */
  public void setLong(String member, long value) {
    memory.set(ValueLayout.JAVA_LONG, offset(member), value);
  }

  /** Sets a pointer; what it points to must live at least as long. */
  public void setAddress(String member, MemorySegment value) {
    memory.set(ValueLayout.ADDRESS, offset(member), value);
  }

  private long offset(String member) {
    return layout.byteOffset(groupElement(member));
  }
}
