// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

/** Where a lane's bytes leave: one lane on one link. Called by sending threads. */
public interface Outlet {

  /**
   * There are published bytes. Called after every publication without any lock held; must be cheap.
   * On an idle wire the caller posts the bytes itself, on a busy one it leaves them to be gathered.
   */
  void published();

  /**
   * Waits until the far side's consumed position is beyond {@code position}, the time is over, or
   * the link is down. May return early.
   */
  void awaitConsumed(long position, long timeoutNs);

  /** No more will be written; the far side drops the lane when it has consumed it all. */
  void finish(long finalPosition);
}
