// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.util.function.UnaryOperator;

/**
 * Two ends of a byte stream in memory. What an end writes can be changed on its way. If both ends
 * wait for bytes and there are none, the stream ends: nothing hangs.
 */
final class Wire {

  final End dialling = new End();
  final End accepting = new End();
  private boolean stuck;

  private void checkStuck() {
    if (dialling.waiting
        && accepting.waiting
        && dialling.inbox.length == 0
        && accepting.inbox.length == 0) {
      stuck = true;
      notifyAll();
    }
  }

  /** One end. */
  final class End implements ByteChannel {
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private byte[] inbox = new byte[0];
    private boolean open = true;
    private boolean waiting;
    private int limit = Integer.MAX_VALUE;
    private UnaryOperator<byte[]> change = bytes -> bytes;

    /** After so many bytes the stream from this end breaks. */
    End breaksAfter(int bytes) {
      limit = bytes;
      return this;
    }

    /** Changes what this end writes, write by write. */
    End changed(UnaryOperator<byte[]> newChange) {
      change = newChange;
      return this;
    }

    /** All this end has written, before it was changed. */
    byte[] sent() {
      synchronized (Wire.this) {
        return sent.toByteArray();
      }
    }

    private End other() {
      return this == dialling ? accepting : dialling;
    }

    @Override
    public int read(ByteBuffer to) throws ClosedChannelException {
      synchronized (Wire.this) {
        while (open && inbox.length == 0 && other().open && !stuck) {
          await();
        }
        if (!open) {
          throw new java.nio.channels.AsynchronousCloseException();
        }
        if (inbox.length == 0) {
          return -1;
        }
        int n = Math.min(to.remaining(), inbox.length);
        to.put(inbox, 0, n);
        inbox = java.util.Arrays.copyOfRange(inbox, n, inbox.length);
        return n;
      }
    }

    private void await() {
      waiting = true;
      checkStuck();
      try {
        if (!stuck) {
          Wire.this.wait();
        }
      } catch (InterruptedException e) {
        open = false;
      } finally {
        waiting = false;
      }
    }

    /** This end has what it wants: it neither reads nor writes any more. */
    void rest() {
      synchronized (Wire.this) {
        waiting = true;
        checkStuck();
      }
    }

    @Override
    public int write(ByteBuffer from) throws ClosedChannelException {
      synchronized (Wire.this) {
        if (!open || !other().open) {
          throw new ClosedChannelException();
        }
        byte[] bytes = new byte[from.remaining()];
        from.get(bytes);
        int passed = Math.min(bytes.length, limit - Math.min(limit, sent.size()));
        sent.writeBytes(bytes);
        if (passed < bytes.length) {
          deliver(java.util.Arrays.copyOf(bytes, passed));
          open = false;
        } else {
          deliver(change.apply(bytes));
        }
        Wire.this.notifyAll();
        return bytes.length;
      }
    }

    private void deliver(byte[] bytes) {
      End to = other();
      byte[] more = java.util.Arrays.copyOf(to.inbox, to.inbox.length + bytes.length);
      System.arraycopy(bytes, 0, more, to.inbox.length, bytes.length);
      to.inbox = more;
    }

    @Override
    public boolean isOpen() {
      synchronized (Wire.this) {
        return open;
      }
    }

    @Override
    public void close() {
      synchronized (Wire.this) {
        open = false;
        Wire.this.notifyAll();
      }
    }
  }
}
