// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.transport.LaneMemory;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.Transport;
import java.time.Duration;

/**
 * Stands for a transport that could reach a peer and may not be used: makes no links, and says why.
 */
record Forbidden(String name, String why) implements Transport {

  @Override
  public boolean canReach(int peer, String address) {
    return !address.isEmpty();
  }

  @Override
  public void connect(int peer, String address, Duration timeout) throws RefusedException {
    throw new RefusedException(Reason.IDENTITY, why);
  }

  @Override
  public LaneMemory allocate(int peer, int laneId, long capacity) {
    throw new IllegalStateException(why);
  }

  @Override
  public boolean readsInPlace() {
    return false;
  }

  @Override
  public ProgressLoop progress() {
    throw new IllegalStateException(why);
  }

  @Override
  public void close() {}
}
