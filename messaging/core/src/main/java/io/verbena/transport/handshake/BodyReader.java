// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Takes a message's fields one after the other; says which one is missing or too much. */
final class BodyReader {

  private final String message;
  private final ByteBuffer bytes;

  BodyReader(String message, byte[] body) {
    this.message = message;
    this.bytes = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
  }

  int u8(String field) throws RefusedException {
    need(field, 1);
    return bytes.get() & 0xFF;
  }

  int u16(String field) throws RefusedException {
    need(field, 2);
    return bytes.getShort() & 0xFFFF;
  }

  long u64(String field) throws RefusedException {
    need(field, 8);
    return bytes.getLong();
  }

  byte[] bytes(String field, int length) throws RefusedException {
    need(field, length);
    byte[] taken = new byte[length];
    bytes.get(taken);
    return taken;
  }

  String text(String field, int length) throws RefusedException {
    return new String(bytes(field, length), StandardCharsets.UTF_8);
  }

  int remaining() {
    return bytes.remaining();
  }

  void zeros(String field, int length) throws RefusedException {
    for (byte value : bytes(field, length)) {
      if (value != 0) {
        throw malformed(field + " is not zero");
      }
    }
  }

  void end() throws RefusedException {
    if (bytes.hasRemaining()) {
      throw malformed(bytes.remaining() + " bytes too many");
    }
  }

  RefusedException malformed(String what) {
    return new RefusedException(Reason.PROTOCOL, "handshake message " + message + ": " + what);
  }

  private void need(String field, int length) throws RefusedException {
    if (bytes.remaining() < length) {
      throw malformed(field + " needs " + length + " bytes, " + bytes.remaining() + " are left");
    }
  }
}
