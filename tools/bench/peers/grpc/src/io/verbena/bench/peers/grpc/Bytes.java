// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers.grpc;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** A message is its bytes. */
final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

  @Override
  public InputStream stream(byte[] message) {
    return new Message(message);
  }

  @Override
  public byte[] parse(InputStream stream) {
    try {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tells its length and writes itself at once: gRPC need not collect it. */
  private static final class Message extends ByteArrayInputStream
      implements Drainable, KnownLength {
    private Message(byte[] message) {
      super(message);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      int length = available();
      target.write(buf, pos, length);
      pos = count;
      return length;
    }
  }
}
