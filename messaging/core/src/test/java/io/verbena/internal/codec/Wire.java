// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.MessageTypes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** From message to bytes and back, in native memory that holds the message and nothing else. */
final class Wire {

  private static final int MARGIN_BYTES = 16;
  private static final byte UNTOUCHED = 0x5a;

  private Wire() {}

  static MessageCodec codecOf(Class<? extends Record> type) {
    return TypeTable.of(MessageTypes.builder().add(1, type).build()).codecOf(type);
  }

  static byte[] encode(Record message) {
    return encode(codecOf(message.getClass()), message);
  }

  /** Encodes at an odd offset and fails if a byte outside of the message changes. */
  static byte[] encode(MessageCodec codec, Record message) {
    int length = codec.length(message);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(length + 2L * MARGIN_BYTES + 1);
      memory.fill(UNTOUCHED);
      codec.write(message, memory, MARGIN_BYTES + 1, length);
      requireUntouched(memory.asSlice(0, MARGIN_BYTES + 1));
      requireUntouched(memory.asSlice(MARGIN_BYTES + 1L + length));
      return memory.asSlice(MARGIN_BYTES + 1, length).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /** Decodes from memory that ends where the message does, so that reading on would throw. */
  static Record decode(MessageCodec codec, byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(bytes.length + 3L).asSlice(3);
      MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
      return codec.read(memory, 0, bytes.length);
    }
  }

  static Record decode(Class<? extends Record> type, String hex) {
    return decode(codecOf(type), bytes(hex));
  }

  /** Bytes from hexadecimal digits with spaces wherever they help. */
  static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
  }

  static String hex(byte[] bytes) {
    return HexFormat.ofDelimiter(" ").formatHex(bytes);
  }

  static String hexOf(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void requireUntouched(MemorySegment margin) {
    for (byte b : margin.toArray(ValueLayout.JAVA_BYTE)) {
      if (b != UNTOUCHED) {
        throw new AssertionError("the codec wrote outside of its range");
      }
    }
  }
}
