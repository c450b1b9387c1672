// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/** The functions {@code vbn_devices_…}, bound when the library is loaded: all are there or none. */
final class DeviceFunctions {

  private static final FunctionDescriptor LINE =
      FunctionDescriptor.of(Calls.TEXT, ADDRESS, JAVA_INT);

  final MethodHandle error;
  final MethodHandle survey;
  final MethodHandle free;
  final MethodHandle portCount;
  final MethodHandle port;
  final MethodHandle hindrance;
  final MethodHandle gid;
  final MethodHandle reason;
  final MethodHandle trouble;

  DeviceFunctions(NativeLibrary library) throws UnusableLibraryException {
    error = library.function("vbn_error", FunctionDescriptor.of(Calls.TEXT));
    survey =
        library.function("vbn_devices_survey", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    free = library.function("vbn_devices_free", FunctionDescriptor.ofVoid(ADDRESS));
    portCount =
        library.function("vbn_devices_port_count", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    port =
        library.function(
            "vbn_devices_port", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));
    hindrance = library.function("vbn_devices_hindrance", LINE);
    gid =
        library.function(
            "vbn_devices_gid",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
    reason = library.function("vbn_devices_reason", LINE);
    trouble = library.function("vbn_devices_trouble", LINE);
  }
}
