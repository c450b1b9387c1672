// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import org.jspecify.annotations.Nullable;

/**
 * A message that a matching probe has taken: nobody else gets it. To be received once, by {@link
 * Device#irecv(Message, Layout)}.
 */
public final class Message {

  private final Context context;
  private final @Nullable Arrival arrival; // null of nobody's
  private boolean isReceived; // guarded by this

  Message(Context context, @Nullable Arrival arrival) {
    this.context = context;
    this.arrival = arrival;
  }

  /** What is known of it. */
  public Status status() {
    return arrival == null ? Device.FROM_NOBODY : Device.status(context, arrival.head());
  }

  Context context() {
    return context;
  }

  /** Null of nobody's, which may be received as often as one likes. */
  synchronized @Nullable Arrival receive() {
    if (arrival == null) {
      return null;
    }
    if (isReceived) {
      throw new IllegalStateException("the message was received before");
    }
    isReceived = true;
    return arrival;
  }
}
