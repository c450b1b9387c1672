// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import java.io.ByteArrayOutputStream;

/** Puts a message's fields one after the other, little-endian. */
final class BodyWriter {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  BodyWriter u8(int value) {
    return number(value, 1);
  }

  BodyWriter u16(int value) {
    return number(value, 2);
  }

  BodyWriter u64(long value) {
    return number(value, 8);
  }

  BodyWriter bytes(byte[] value) {
    bytes.writeBytes(value);
    return this;
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }

  private BodyWriter number(long value, int size) {
    for (int i = 0; i < size; i++) {
      bytes.write((int) (value >>> 8 * i));
    }
    return this;
  }
}
