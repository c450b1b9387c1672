// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.channels.SocketChannel;

/**
 * What one connection reads from and writes to: its socket as it is, or TLS over it. It blocks
 * during the handshake and does not afterwards, as the socket does. One thread at a time reads, one
 * at a time writes; both may be at it at once.
 */
sealed interface Wire extends ByteChannel, GatheringByteChannel, ScatteringByteChannel
    permits Wire.Plain, TlsWire {

  /** The socket, for selectors and options. */
  SocketChannel socket();

  /** From here on nothing blocks. */
  default void stopBlocking() throws IOException {
    socket().configureBlocking(false);
  }

  /**
   * Writes what earlier calls have taken and not yet written; false if the socket takes no more.
   */
  boolean flush() throws IOException;

  /** Whether all that was taken has been written, and encryption itself has nothing to say. */
  boolean isFlushed();

  /**
   * Whether what was read calls for an answer by encryption itself, to be sent by {@link #flush}.
   */
  boolean owesAnswer();

  @Override
  default boolean isOpen() {
    return socket().isOpen();
  }

  @Override
  default void close() throws IOException {
    socket().close();
  }

  /** The socket as it is. */
  record Plain(SocketChannel socket) implements Wire {

    @Override
    public int read(ByteBuffer to) throws IOException {
      return socket.read(to);
    }

    @Override
    public long read(ByteBuffer[] to) throws IOException {
      return socket.read(to);
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) throws IOException {
      return socket.read(to, offset, length);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      return socket.write(from);
    }

    @Override
    public long write(ByteBuffer[] from) throws IOException {
      return socket.write(from);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
      return socket.write(from, offset, length);
    }

    @Override
    public boolean flush() {
      return true;
    }

    @Override
    public boolean isFlushed() {
      return true;
    }

    @Override
    public boolean owesAnswer() {
      return false;
    }
  }
}
