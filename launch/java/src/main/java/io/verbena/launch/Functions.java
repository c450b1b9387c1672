// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbena.natives.Calls;
import io.verbena.natives.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;

/** The functions of {@code verbena/job.h}. */
final class Functions {

  static final MethodHandle OPEN = bind("vbn_job_open", JAVA_INT, ADDRESS);
  static final MethodHandle FREE =
      NativeLibrary.bind("vbn_job_free", FunctionDescriptor.ofVoid(ADDRESS));
  static final MethodHandle RANK = bind("vbn_job_rank", JAVA_INT, ADDRESS);
  static final MethodHandle SIZE = bind("vbn_job_size", JAVA_INT, ADDRESS);
  static final MethodHandle LOCAL_RANK = bind("vbn_job_local_rank", JAVA_INT, ADDRESS);
  static final MethodHandle LOCAL_SIZE = bind("vbn_job_local_size", JAVA_INT, ADDRESS);
  static final MethodHandle IS_OVERSUBSCRIBED =
      bind("vbn_job_is_oversubscribed", JAVA_INT, ADDRESS);
  static final MethodHandle ID = bind("vbn_job_id", Calls.TEXT, ADDRESS);
  static final MethodHandle HOST_ADDRESS = bind("vbn_job_host_address", Calls.TEXT, ADDRESS);
  static final MethodHandle KEY = bind("vbn_job_key", ADDRESS, ADDRESS, ADDRESS);
  static final MethodHandle PUBLISH =
      bind("vbn_job_publish", JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
  static final MethodHandle ADDRESS_OF =
      bind("vbn_job_address", JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
  static final MethodHandle AWAIT_ALL = bind("vbn_job_await_all", JAVA_INT, ADDRESS, JAVA_LONG);
  static final MethodHandle NEXT_END =
      bind("vbn_job_next_end", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS);

  static final MethodHandle END_AT =
      bind("vbn_job_end_at", JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS);

  private Functions() {}

  /** Calls a function that returns a {@code vbn_status}. */
  static void check(MethodHandle function, Object... arguments) {
    if ((int) Calls.call(function, arguments) != 0) {
      throw new JobException(NativeLibrary.get().lastError());
    }
  }

  private static MethodHandle bind(String name, MemoryLayout result, MemoryLayout... parameters) {
    return NativeLibrary.bind(name, FunctionDescriptor.of(result, parameters));
  }
}
