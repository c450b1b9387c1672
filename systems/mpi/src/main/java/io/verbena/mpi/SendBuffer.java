// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import io.verbena.mpi.device.Device;
import io.verbena.mpi.device.DeviceException;
import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.SendRequest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The messages of buffered sends that are still here, within what the program allows them (MPI 4.1,
 * section 3.6). Each lies in memory of its own, so there is never room in too small pieces alone.
 * Any thread.
 */
final class SendBuffer {

  private static final long NONE = -1;

  /** Of one message: it is copied into an array. */
  private static final int MOST_BYTES = Integer.MAX_VALUE - 16;

  private final Device device;
  private final List<Buffered> pending = new ArrayList<>(); // guarded by this, like all
  private long capacity = NONE;
  private long used;

  /** A message, and what it takes. */
  private record Buffered(SendRequest send, long bytes) {}

  SendBuffer(Device device) {
    this.device = device;
  }

  synchronized void attach(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a buffer of " + bytes + " bytes");
    }
    if (capacity != NONE) {
      throw new IllegalStateException(
          "a buffer of %d bytes is attached; detach it before".formatted(capacity));
    }
    capacity = bytes;
  }

  /** Waits until what is in it has been sent, or never can be. */
  long detach() throws InterruptedException {
    for (Buffered each : all()) {
      try {
        device.await(each.send());
      } catch (DeviceException e) {
        // The receiver is lost, and the send was over for its program long ago: nobody is told.
      }
    }
    return end();
  }

  private synchronized List<Buffered> all() {
    if (capacity == NONE) {
      throw new IllegalStateException("no buffer is attached");
    }
    return List.copyOf(pending);
  }

  private synchronized long end() {
    long was = capacity;
    pending.clear();
    capacity = NONE;
    used = 0;
    return was;
  }

  /**
   * Copies a message and begins to send it.
   *
   * @param isend sends the copy
   */
  synchronized SendRequest send(Layout from, Function<Layout, SendRequest> isend) {
    long bytes = from.bytes() + World.BUFFERED_SEND_OVERHEAD;
    makeRoom(bytes);
    if (from.bytes() > MOST_BYTES) {
      throw new IllegalArgumentException(
          "a buffered send of %d bytes; %d is most: take another mode"
              .formatted(from.bytes(), MOST_BYTES));
    }
    MemorySegment copy = MemorySegment.ofArray(new byte[(int) from.bytes()]);
    from.gather(0, copy.byteSize(), copy, 0);
    SendRequest send = isend.apply(Layout.of(copy));
    if (!send.isDone()) {
      pending.add(new Buffered(send, bytes));
      used += bytes;
    }
    return send;
  }

  private void makeRoom(long bytes) {
    pending.removeIf(this::isOver);
    if (used + bytes > Math.max(capacity, 0)) {
      throw new BufferFullException(bytes, used, Math.max(capacity, 0));
    }
  }

  private boolean isOver(Buffered each) {
    boolean is = each.send().isDone();
    used -= is ? each.bytes() : 0;
    return is;
  }
}
