// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma.internal;

import java.lang.foreign.MemorySegment;

/** The library's hold on the memory of an incoming lane. Any thread. */
final class Replica {

  private final MemorySegment handle;
  private final Gate gate = new Gate();

  /** Wraps a {@code vbn_replica}, and owns it. */
  Replica(MemorySegment handle) {
    this.handle = handle;
  }

  /** Returns the call's status; the address and the key are written. */
  int grant(MemorySegment endpoint, MemorySegment address, MemorySegment key) {
    if (!gate.enter()) {
      throw new IllegalStateException("the memory was freed");
    }
    try {
      return (int) Calls.call(EndpointFunctions.GRANT, endpoint, handle, address, key);
    } finally {
      gate.leave();
    }
  }

  void revoke() {
    if (gate.enter()) {
      try {
        Calls.call(EndpointFunctions.REVOKE, handle);
      } finally {
        gate.leave();
      }
    }
  }

  void free() {
    if (gate.close()) {
      Calls.call(EndpointFunctions.FREE_REPLICA, handle);
    }
  }
}
