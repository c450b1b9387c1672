// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.loopback;

import io.verbena.transport.AsymmetricFence;
import io.verbena.transport.InPlaceLoop;
import io.verbena.transport.TransportContext;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Reads the lanes of all loopback links of a node; sleeps by parking. */
final class LoopbackLoop extends InPlaceLoop {

  private volatile boolean asleep;
  private volatile boolean wakeRequested;
  private volatile @Nullable Thread sleeper;

  LoopbackLoop(TransportContext context) {
    super(context);
  }

  @Override
  protected void announceSleep() {
    sleeper = Thread.currentThread();
    asleep = true;
    AsymmetricFence.heavy(); // pairs with the light one in wakeIfAsleep
  }

  @Override
  protected void sleep(long timeoutNs) {
    if (!wakeRequested) {
      LockSupport.parkNanos(this, timeoutNs);
    }
  }

  @Override
  protected void withdrawSleep() {
    asleep = false;
    sleeper = null;
    wakeRequested = false;
  }

  @Override
  public void wake() {
    wakeRequested = true;
    LockSupport.unpark(sleeper);
  }

  @Override
  public void wakeIfAsleep() {
    // Either the sleeper's last round sees what was published, or we see that it sleeps.
    AsymmetricFence.light();
    if (asleep) {
      wake();
    }
  }
}
