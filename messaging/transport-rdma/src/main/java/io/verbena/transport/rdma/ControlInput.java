// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What arrives on a link's control stream: first the handshake's bytes, which its thread waits for,
 * then segments, which the loop takes.
 */
final class ControlInput {

  /** More than a handshake has under way, less than harms. */
  private static final int MAX_BYTES = 1 << 20;

  private ByteBuffer bytes = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);
  private long received;
  private @Nullable String ended;

  /** Bytes have arrived. By the loop. */
  synchronized void append(long position, ByteBuffer more) throws IOException {
    if (position != received) {
      throw new IOException("control bytes at " + position + " where " + received + " is next");
    }
    if (bytes.position() + more.remaining() > MAX_BYTES) {
      throw new IOException("more than " + MAX_BYTES + " control bytes that nobody takes");
    }
    received += more.remaining();
    makeRoom(more.remaining());
    bytes.put(more);
    notifyAll();
  }

  private void makeRoom(int count) {
    if (bytes.remaining() < count) {
      int size = Math.max(2 * bytes.capacity(), bytes.position() + count);
      bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN).put(bytes.flip());
    }
  }

  /** No more will come. */
  synchronized void end(String reason) {
    if (ended == null) {
      ended = reason;
      notifyAll();
    }
  }

  /** Waits for {@link #end}. */
  synchronized void awaitEnd(long timeoutNs) {
    long untilNs = System.nanoTime() + timeoutNs;
    long restNs = timeoutNs;
    while (ended == null && restNs > 0) {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, restNs);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      restNs = untilNs - System.nanoTime();
    }
  }

  /** By the handshake: waits for at least one byte. */
  synchronized int read(ByteBuffer target) throws IOException {
    while (bytes.position() == 0) {
      if (ended != null) {
        throw new IOException(ended);
      }
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
    bytes.flip();
    int count = Math.min(bytes.remaining(), target.remaining());
    target.put(bytes.slice(0, count));
    bytes.position(count).compact();
    return count;
  }

  /**
   * Takes whole records of {@code size} bytes, oldest first; null if there is none. By the loop.
   */
  synchronized @Nullable ByteBuffer take(int size) {
    int whole = bytes.position() / size * size;
    if (whole == 0) {
      return null;
    }
    bytes.flip();
    ByteBuffer taken = ByteBuffer.allocate(whole).order(ByteOrder.LITTLE_ENDIAN);
    taken.put(bytes.slice(0, whole)).flip();
    bytes.position(whole).compact();
    return taken;
  }
}
