// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbena.natives.Calls;
import io.verbena.natives.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;

/** The functions of {@code verbena/fabric.h}. Constants, so that the JIT makes plain calls. */
final class Functions {

  static final MethodHandle OPEN = bind("vbn_fabric_open", JAVA_INT, ADDRESS, ADDRESS);
  static final MethodHandle SHARED = bind("vbn_endpoint_fabric", JAVA_INT, ADDRESS, ADDRESS);
  static final MethodHandle STOP = bindVoid("vbn_fabric_stop", ADDRESS);
  static final MethodHandle CLOSE = bindVoid("vbn_fabric_close", ADDRESS);
  static final MethodHandle ADDRESS_OF = bindText("vbn_fabric_address", ADDRESS);
  static final MethodHandle DESCRIBE = bindText("vbn_fabric_describe", ADDRESS, JAVA_INT);

  static final MethodHandle ADD_PEER =
      bind("vbn_fabric_add_peer", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
  static final MethodHandle REMOVE_PEER =
      bind("vbn_fabric_remove_peer", JAVA_INT, ADDRESS, JAVA_INT);
  static final MethodHandle GIVE_UP =
      bind("vbn_fabric_give_up", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
  static final MethodHandle LINK =
      bind("vbn_fabric_link", JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS);
  static final MethodHandle FIND = bind("vbn_fabric_find", JAVA_LONG, ADDRESS, JAVA_INT);
  static final MethodHandle UNLINK = bindVoid("vbn_fabric_unlink", ADDRESS, JAVA_LONG, ADDRESS);
  static final MethodHandle WAY =
      bind("vbn_fabric_way", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);
  static final MethodHandle LINK_COUNTERS =
      bind("vbn_fabric_link_counters", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS);
  static final MethodHandle LINKS = bind("vbn_fabric_links", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  static final MethodHandle NEWS = bind("vbn_fabric_news", JAVA_INT, ADDRESS, ADDRESS);

  static final MethodHandle ALLOCATE =
      bind("vbn_region_allocate", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS);
  static final MethodHandle REGISTER =
      bind("vbn_region_register", JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
  static final MethodHandle FREE_REGION = bindVoid("vbn_region_free", ADDRESS);
  static final MethodHandle MEMORY = bind("vbn_region_memory", ADDRESS, ADDRESS);
  static final MethodHandle SHARE =
      bind("vbn_region_share", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS);
  static final MethodHandle REVOKE = bind("vbn_region_revoke", JAVA_INT, ADDRESS, ADDRESS);

  static final MethodHandle OPEN_REMOTE =
      bind("vbn_remote_open", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS);
  static final MethodHandle FREE_REMOTE = bindVoid("vbn_remote_free", ADDRESS);

  static final MethodHandle POST =
      bind("vbn_fabric_post", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_INT, ADDRESS);
  static final MethodHandle POLL = bind("vbn_fabric_poll", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  static final MethodHandle SIGNALS =
      bind("vbn_fabric_signals", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  static final MethodHandle QUIET = bind("vbn_fabric_quiet", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS);
  static final MethodHandle SENTENCE = bindVoid("vbn_done_sentence", ADDRESS, ADDRESS, JAVA_LONG);

  static final MethodHandle ARM = bindVoid("vbn_fabric_arm", ADDRESS);
  static final MethodHandle WAIT = bindVoid("vbn_fabric_wait", ADDRESS, JAVA_LONG);
  static final MethodHandle WAKE = bindVoid("vbn_fabric_wake", ADDRESS);

  static final int VBN_OK = 0;
  static final int VBN_INVALID = 1;

  private Functions() {}

  /** Of a {@code vbn_status}; by the thread that made the call. */
  static void check(int status) {
    if (status == VBN_INVALID) {
      throw new IllegalArgumentException(lastError());
    }
    if (status != 0) {
      throw new FabricException(lastError());
    }
  }

  static String lastError() {
    return NativeLibrary.get().lastError();
  }

  /** What a call of a constant handle is said to throw, and does not. */
  static RuntimeException impossible(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException r ? r : new IllegalStateException("a C function threw", e);
  }

  static MethodHandle bind(String name, MemoryLayout result, MemoryLayout... parameters) {
    return NativeLibrary.bind(name, FunctionDescriptor.of(result, parameters));
  }

  static MethodHandle bindVoid(String name, MemoryLayout... parameters) {
    return NativeLibrary.bind(name, FunctionDescriptor.ofVoid(parameters));
  }

  private static MethodHandle bindText(String name, MemoryLayout... parameters) {
    return NativeLibrary.bind(name, FunctionDescriptor.of(Calls.TEXT, parameters));
  }
}
