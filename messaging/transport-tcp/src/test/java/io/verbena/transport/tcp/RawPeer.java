// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.testkit.Await;
import io.verbena.transport.handshake.Handshake;
import io.verbena.transport.handshake.Handshake.Offer;
import io.verbena.transport.replica.Segment;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;

/** A peer that shakes hands properly and then says whatever a test wants. */
final class RawPeer implements AutoCloseable {

  /** A segment as it came. */
  record Received(int kind, int lane, long value, byte[] payload) {}

  private final SocketChannel channel;

  RawPeer(TestNode as, int target, int port) throws IOException {
    channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    new Handshake(as, "tcp", Await.LONG).dial(channel, "raw", target, Offer.NOTHING);
  }

  RawPeer send(int length, int kind, int lane, long value, byte... payload) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(Segment.HEADER_BYTES + payload.length).order(ByteOrder.LITTLE_ENDIAN);
    Segment.put(bytes, length, kind, lane, value);
    return sendBytes(bytes.put(payload).array());
  }

  RawPeer sendBytes(byte... bytes) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    while (rest.hasRemaining()) {
      channel.write(rest);
    }
    return this;
  }

  Received receive() throws IOException {
    ByteBuffer header = read(Segment.HEADER_BYTES);
    byte[] payload = read(header.getInt(0)).array();
    return new Received(header.get(4), header.getShort(6) & 0xFFFF, header.getLong(8), payload);
  }

  /** The next segment of a kind; others are passed over. */
  Received receive(int kind) throws IOException {
    Received next = receive();
    while (next.kind() != kind) {
      next = receive();
    }
    return next;
  }

  byte[] receiveBytes(int length) throws IOException {
    return read(length).array();
  }

  private ByteBuffer read(int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        throw new EOFException();
      }
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
