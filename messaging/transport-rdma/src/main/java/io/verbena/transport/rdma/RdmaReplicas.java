// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.transport.LaneMemory;
import io.verbena.transport.rdma.internal.Endpoint;
import io.verbena.transport.replica.Replicas;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Replicas that peers write into. Where the device's memory or the right to lock it runs out, a
 * lane gets ordinary memory, and its peer sends; the next outgoing lane then fails for the same
 * reason (adr 13).
 */
final class RdmaReplicas implements Replicas {

  /** The setting that wants them. */
  static final String ON = "on";

  private static final Logger LOG = System.getLogger("io.verbena.transport.rdma");

  private final Endpoint endpoint;

  private RdmaReplicas(Endpoint endpoint) {
    this.endpoint = endpoint;
  }

  /** As {@code rdma.placement} says. */
  static Replicas of(Endpoint endpoint, String setting) {
    return setting.equals(ON) ? new RdmaReplicas(endpoint) : COPIED;
  }

  @Override
  public LaneMemory allocate(long capacity) throws IOException {
    try {
      return endpoint.allocateReplica(capacity);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a lane is not placed: {0}", e.getMessage());
      return COPIED.allocate(capacity);
    }
  }

  @Override
  public @Nullable Grant grant(LaneMemory memory) {
    try {
      return endpoint.grant(memory);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a lane is not placed: {0}", e.getMessage());
      return null;
    }
  }

  @Override
  public void revoke(LaneMemory memory) {
    endpoint.revoke(memory);
  }
}
