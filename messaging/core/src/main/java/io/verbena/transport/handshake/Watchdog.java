// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.Errands;
import java.io.IOException;
import java.nio.channels.Channel;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;

/** Closes a channel when the time is over: every read and write that hangs on it ends. */
final class Watchdog implements AutoCloseable {

  private enum State {
    /** The handshake is under way and has time left. */
    WATCHING,
    /** It ended in time; the channel is left alone. */
    DONE,
    /** The time was over first; the channel is closed. */
    EXPIRED
  }

  private final AtomicReference<State> state = new AtomicReference<>(State.WATCHING);
  private final Duration timeout;
  private final Future<?> alarm;

  Watchdog(Channel channel, Duration timeout) {
    this.timeout = timeout;
    this.alarm = Errands.later(timeout, () -> expire(channel));
  }

  private void expire(Channel channel) {
    try {
      if (state.compareAndSet(State.WATCHING, State.EXPIRED)) {
        channel.close();
      }
    } catch (IOException e) {
      // It is closed as far as it can be.
    }
  }

  /** The handshake succeeded; fails if the channel was closed just before. */
  void done() throws IOException {
    if (!state.compareAndSet(State.WATCHING, State.DONE)) {
      throw new IOException("the channel was closed");
    }
  }

  /** Says that the time was over if that is why. */
  IOException explain(IOException failure, String whom) {
    if (state.get() != State.EXPIRED) {
      return failure;
    }
    return new IOException(
        whom + " did not finish the handshake within " + timeout.toMillis() + " ms", failure);
  }

  @Override
  public void close() {
    state.compareAndSet(State.WATCHING, State.DONE);
    alarm.cancel(false);
  }
}
