// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

/**
 * A message that a matching probe has taken: nobody else gets it. To be received once, by {@link
 * Device#irecv(Message, Layout)}.
 */
public final class Message {

  private final Context context;
  private final Arrival arrival;
  private boolean isReceived; // guarded by this

  Message(Context context, Arrival arrival) {
    this.context = context;
    this.arrival = arrival;
  }

  /** What is known of it. */
  public Status status() {
    return Device.status(context, arrival.head());
  }

  Context context() {
    return context;
  }

  synchronized Arrival receive() {
    if (isReceived) {
      throw new IllegalStateException("the message was received before");
    }
    isReceived = true;
    return arrival;
  }
}
