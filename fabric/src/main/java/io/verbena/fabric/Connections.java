// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.Calls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Connections by {@code host:port}: one side listens and accepts, the other one connects and needs
 * to know the address and nothing else. Any thread; one at a time accepts.
 */
public final class Connections implements AutoCloseable {

  /**
   * As long may a close have to wait for who is connecting. Each time it begins anew, so it is as
   * long as a node that does not answer takes to be dead, by default.
   */
  private static final long SLICE_NS = TimeUnit.SECONDS.toNanos(2);

  /**
   * Who waits until somebody listens is told so before the time is over, when there is no time to
   * ask again.
   */
  private static final long EARLY_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Channels channels;
  private final Handle handle;
  private final Seat accepting = new Seat("accept()");

  Connections(Channels channels, Handle handle) {
    this.channels = channels;
    this.handle = handle;
  }

  /**
   * From here on others may connect, by {@link Fabric#address}.
   *
   * @param backlog how many do until they are accepted; at least 1; the rings for them are made now
   * @throws FabricException if there is no memory for the rings
   */
  public void listen(int backlog) {
    Limits.atLeast("the backlog", backlog, 1);
    handle.use(
        it -> {
          Functions.check((int) Calls.call(ChannelFunctions.LISTEN, it, backlog));
          return it;
        });
  }

  /** A connection that another node has made; empty if there is none now. Does not wait. */
  public Optional<Connection> accept() {
    return accept(Duration.ZERO);
  }

  /**
   * A connection that another node has made; empty if none was within the time. Its ends are the
   * caller's to close. Waits as {@link Channel ends} do.
   *
   * @throws FabricException if one could not be taken; there may be others behind it
   * @throws IllegalStateException if another thread accepts
   */
  public Optional<Connection> accept(Duration timeout) {
    accepting.take();
    try {
      AtomicReference<Connection> accepted = new AtomicReference<>();
      if (accept(accepted, 0) == ChannelOutcome.WOULD_BLOCK) {
        Patience.retry(timeout, ns -> accept(accepted, ns));
      }
      return Optional.ofNullable(accepted.get());
    } finally {
      accepting.leave();
    }
  }

  private ChannelOutcome accept(AtomicReference<Connection> accepted, long timeoutNs) {
    return handle.use(it -> accept(it, accepted, timeoutNs));
  }

  private ChannelOutcome accept(
      MemorySegment open, AtomicReference<Connection> accepted, long timeoutNs) {
    try (Ends ends = new Ends()) {
      int outcome =
          (int) Calls.call(ChannelFunctions.ACCEPT, open, timeoutNs, ends.reader, ends.writer);
      if (outcome < 0) {
        throw new FabricException(Functions.lastError());
      }
      if (outcome == 0) {
        accepted.set(ends.take());
      }
      return ChannelOutcome.of(outcome);
    }
  }

  /**
   * Connects with the node that listens at an address, {@code host:port}. Waits until it listens;
   * where there is no node it fails at once. The ends are the caller's to close. A virtual thread
   * holds its carrier meanwhile.
   *
   * @param timeout one that is not positive is none
   * @throws FabricException if there is no connection within the time, with the reason
   * @throws IllegalArgumentException if the address is this node's own
   * @throws ClosedException if this is closed, also meanwhile
   */
  public Connection connect(String address, Duration timeout) {
    long endNs = System.nanoTime() + Calls.nanos(timeout);
    while (true) {
      long beganNs = System.nanoTime();
      long timeNs = Math.clamp(endNs - beganNs, 0, SLICE_NS);
      try {
        return handle.use(it -> connect(it, address, timeNs));
      } catch (FabricException e) {
        if (channels.isClosing()) {
          throw new ClosedException(handle + " was closed: " + e.getMessage());
        }
        boolean isSliceOver = System.nanoTime() - beganNs >= SLICE_NS - EARLY_NS;
        if (handle.isClosed() || timeNs < SLICE_NS || !isSliceOver) {
          throw handle.failure(e);
        }
      }
    }
  }

  private Connection connect(MemorySegment open, String address, long timeoutNs) {
    try (Ends ends = new Ends()) {
      MemorySegment text = ends.scratch.allocateFrom(address);
      Functions.check(
          (int)
              Calls.call(
                  ChannelFunctions.CONNECT, open, text, timeoutNs, ends.reader, ends.writer));
      return ends.take();
    }
  }

  /** Where C stores the two ends that it makes. Of one thread. */
  private final class Ends implements AutoCloseable {
    final Arena scratch = Arena.ofConfined();
    final MemorySegment reader = scratch.allocate(ValueLayout.ADDRESS);
    final MemorySegment writer = scratch.allocate(ValueLayout.ADDRESS);

    Connection take() {
      return new Connection(
          channels.reader("a connection", reader.get(ValueLayout.ADDRESS, 0)),
          channels.writer("a connection", writer.get(ValueLayout.ADDRESS, 0)));
    }

    @Override
    public void close() {
      scratch.close();
    }
  }

  /**
   * Nobody connects any more. Connections that were made or accepted go on. Waits for who is
   * connecting, for two seconds at most. Idempotent; a fabric closes its connections.
   */
  @Override
  public void close() {
    handle.free();
    channels.forget(this);
  }

  @Override
  public String toString() {
    return "Connections[" + handle + (handle.isClosed() ? ", closed]" : "]");
  }
}
