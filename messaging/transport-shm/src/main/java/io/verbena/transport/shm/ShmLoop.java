// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import io.verbena.transport.InPlaceLoop;
import io.verbena.transport.TransportContext;

/** Reads the lanes of all shm links of a node; sleeps on its doorbell. */
final class ShmLoop extends InPlaceLoop {

  /**
   * The barrier may miss a sender's core. What that sender has published is visible long before
   * this is over: docs/adr/0003-asymmetric-fence.md.
   */
  private static final long OVERLOOKED_NS = 1_000_000;

  private final Doorbell bell;

  ShmLoop(TransportContext context, Doorbell bell) {
    super(context);
    this.bell = bell;
  }

  @Override
  protected void threadStarted() {
    Linux.sharpenTimers();
  }

  @Override
  protected void announceSleep() {
    bell.announceSleep();
  }

  @Override
  protected long announcementOverlookedNs() {
    return OVERLOOKED_NS;
  }

  @Override
  protected void sleep(long timeoutNs) {
    bell.sleep(timeoutNs);
  }

  @Override
  protected void withdrawSleep() {
    bell.withdrawSleep();
  }

  @Override
  public void wake() {
    try {
      bell.ring();
    } catch (IllegalStateException e) {
      // The node is closed: nobody sleeps any more.
    }
  }

  @Override
  public void wakeIfAsleep() {
    try {
      bell.ringIfAsleep();
    } catch (IllegalStateException e) {
      // As above.
    }
  }
}
