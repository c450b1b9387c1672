// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;

/**
 * Gives every softnic device that is opened while this is open a script of faults ({@code
 * native/src/softnic/objects/faults.h}). It stays the device's when this is closed.
 */
final class SoftnicFaults implements AutoCloseable {

  private static final String VARIABLE = "VERBENA_SOFTNIC_FAULTS";

  private static final MethodHandle SETENV = bind("setenv", ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle UNSETENV = bind("unsetenv", ADDRESS);

  SoftnicFaults(String script) {
    try (Arena arena = Arena.ofConfined()) {
      call(SETENV, arena.allocateFrom(VARIABLE), arena.allocateFrom(script), 1);
    }
  }

  @Override
  public void close() {
    try (Arena arena = Arena.ofConfined()) {
      call(UNSETENV, arena.allocateFrom(VARIABLE));
    }
  }

  /** The library asks C for the environment, which Java cannot change by itself. */
  private static MethodHandle bind(String name, MemoryLayout... parameters) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(JAVA_INT, parameters));
  }

  private static void call(MethodHandle function, Object... arguments) {
    try {
      function.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
