// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the library found at one moment, in its memory. Of one thread, which closes it; after that
 * it is empty.
 */
public final class DeviceList implements AutoCloseable {

  private static final int VBN_OK = 0;
  private static final int VBN_INVALID = 1;

  private final DeviceFunctions functions;
  private MemorySegment found;

  private DeviceList(DeviceFunctions functions, MemorySegment found) {
    this.functions = functions;
    this.found = found;
  }

  /**
   * Looks at all devices. May take milliseconds for each.
   *
   * @param wishes a {@link Structs#WISHES}
   * @throws IllegalArgumentException if the library does not accept a wish
   * @throws IllegalStateException if the library cannot look
   */
  public static DeviceList survey(NativeLibrary library, Struct wishes) {
    DeviceFunctions functions = library.devices();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment result = arena.allocate(ValueLayout.ADDRESS);
      check((int) Calls.call(functions.survey, wishes.memory(), result));
      return new DeviceList(functions, result.get(ValueLayout.ADDRESS, 0));
    }
  }

  /** How many rows there are; each is a port. */
  public int portCount() {
    return (int) Calls.call(functions.portCount, found);
  }

  /** A {@link Structs#PORT}. */
  public Struct port(int row, Arena arena) {
    Struct port = Struct.allocate(Structs.PORT, arena);
    check((int) Calls.call(functions.port, found, row, port.memory()));
    return port;
  }

  /** Why a port does not meet the wishes; empty if it does. */
  public String hindrance(int row) {
    String text = Calls.text(functions.hindrance, found, row);
    if (text == null) {
      throw new IndexOutOfBoundsException(row);
    }
    return text;
  }

  /** A {@link Structs#GID}. */
  public Struct gid(int row, int number, Arena arena) {
    Struct gid = Struct.allocate(Structs.GID, arena);
    check((int) Calls.call(functions.gid, found, row, number, gid.memory()));
    return gid;
  }

  /** Why a port was chosen, or why none could be. */
  public List<String> reasons() {
    return lines(functions.reason);
  }

  /** What hinders this process apart from single ports. */
  public List<String> troubles() {
    return lines(functions.trouble);
  }

  private List<String> lines(MethodHandle function) {
    List<String> lines = new ArrayList<>();
    for (String line = line(function, 0); line != null; line = line(function, lines.size())) {
      lines.add(line);
    }
    return lines;
  }

  private @Nullable String line(MethodHandle function, int number) {
    return Calls.text(function, found, number);
  }

  private static void check(int status) {
    if (status == VBN_OK) {
      return;
    }
    String text = NativeLibrary.get().lastError();
    throw status == VBN_INVALID
        ? new IllegalArgumentException(text)
        : new IllegalStateException(text);
  }

  @Override
  public void close() {
    MemorySegment freed = found;
    found = MemorySegment.NULL; // which the library takes for an empty list
    Calls.call(functions.free, freed);
  }
}
