// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbena.natives.Calls;
import io.verbena.natives.NativeLibrary;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;

/**
 * The functions {@code vbn_endpoint_…}, {@code vbn_link_…}, {@code vbn_ring_…} and {@code
 * vbn_replica_…}. Constants, so that the JIT makes plain calls of them; bound when an endpoint is
 * first opened, which is after the library was found usable.
 */
final class EndpointFunctions {

  static final MethodHandle OPEN = bind("vbn_endpoint_open", JAVA_INT, ADDRESS, ADDRESS);
  static final MethodHandle CLOSE = bindVoid("vbn_endpoint_close", ADDRESS);
  static final MethodHandle ADDRESS_OF = bindText("vbn_endpoint_address", ADDRESS);
  static final MethodHandle DESCRIBE = bindText("vbn_endpoint_describe", ADDRESS, JAVA_INT);
  static final MethodHandle DIAL =
      bind("vbn_endpoint_dial", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG);
  static final MethodHandle CLOSE_LINK = bindVoid("vbn_link_close", ADDRESS, JAVA_LONG, ADDRESS);
  static final MethodHandle NEWS = bind("vbn_endpoint_news", JAVA_INT, ADDRESS, ADDRESS);
  static final MethodHandle COUNTERS = bind("vbn_endpoint_counters", JAVA_INT, ADDRESS, ADDRESS);

  static final MethodHandle ALLOCATE_RING =
      bind("vbn_ring_allocate", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
  static final MethodHandle FREE_RING = bindVoid("vbn_ring_free", ADDRESS);
  static final MethodHandle ALLOCATE_REPLICA =
      bind("vbn_replica_allocate", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
  static final MethodHandle GRANT =
      bind("vbn_replica_grant", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
  static final MethodHandle REVOKE = bindVoid("vbn_replica_revoke", ADDRESS);
  static final MethodHandle FREE_REPLICA = bindVoid("vbn_replica_free", ADDRESS);
  static final MethodHandle OPEN_LANE =
      bind(
          "vbn_link_open_lane",
          JAVA_INT,
          ADDRESS,
          JAVA_LONG,
          JAVA_INT,
          ADDRESS,
          JAVA_LONG,
          JAVA_LONG);
  static final MethodHandle PLACE_LANE =
      bindVoid("vbn_link_place_lane", ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
  static final MethodHandle CLOSE_LANE =
      bindVoid("vbn_link_close_lane", ADDRESS, JAVA_LONG, JAVA_INT);
  static final MethodHandle PUMP = bind("vbn_link_pump", JAVA_INT, ADDRESS, JAVA_LONG);
  static final MethodHandle WRITE =
      bind("vbn_link_write", JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);

  static final MethodHandle PROGRESS =
      bind("vbn_endpoint_progress", JAVA_LONG, ADDRESS, ADDRESS, JAVA_INT);
  static final MethodHandle ARM = bindVoid("vbn_endpoint_arm", ADDRESS);
  static final MethodHandle WAIT = bindVoid("vbn_endpoint_wait", ADDRESS, JAVA_LONG);
  static final MethodHandle WAKE = bindVoid("vbn_endpoint_wake", ADDRESS);

  private EndpointFunctions() {}

  /** Of a {@code vbn_status}; by the thread that made the call. */
  static void check(int status) throws IOException {
    if (status != 0) {
      throw new IOException(NativeLibrary.get().lastError());
    }
  }

  private static MethodHandle bind(String name, MemoryLayout result, MemoryLayout... parameters) {
    return bind(name, FunctionDescriptor.of(result, parameters));
  }

  private static MethodHandle bindVoid(String name, MemoryLayout... parameters) {
    return bind(name, FunctionDescriptor.ofVoid(parameters));
  }

  private static MethodHandle bindText(String name, MemoryLayout... parameters) {
    return bind(name, FunctionDescriptor.of(Calls.TEXT, parameters));
  }

  private static MethodHandle bind(String name, FunctionDescriptor shape) {
    return NativeLibrary.bind(name, shape);
  }
}
