// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.ycsb;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * A record of YCSB as a value of the store: for each field the length of its name (2 bytes), the
 * length of its content (4), name as UTF-8, content.
 */
final class Fields {
  private static final int HEAD = 6;
  private static final int MAX_NAME = 0xffff;

  private final Map<String, byte[]> contents = new TreeMap<>();

  /** Those that YCSB gives. */
  static Fields of(Map<String, ByteIterator> values) {
    Fields fields = new Fields();
    values.forEach((name, content) -> fields.contents.put(name, content.toArray()));
    return fields;
  }

  /** Those of a value. */
  static Fields parse(byte[] value) {
    Fields fields = new Fields();
    ByteBuffer rest = ByteBuffer.wrap(value);
    while (rest.hasRemaining()) {
      byte[] name = new byte[Short.toUnsignedInt(rest.getShort())];
      byte[] content = new byte[rest.getInt()];
      rest.get(name).get(content);
      fields.contents.put(new String(name, StandardCharsets.UTF_8), content);
    }
    return fields;
  }

  /** Takes over the content of others, also in place of its own. */
  Fields with(Fields others) {
    contents.putAll(others.contents);
    return this;
  }

  byte[] toBytes() {
    Map<byte[], byte[]> encoded = new java.util.LinkedHashMap<>();
    int length = 0;
    for (Map.Entry<String, byte[]> field : contents.entrySet()) {
      byte[] name = field.getKey().getBytes(StandardCharsets.UTF_8);
      if (name.length > MAX_NAME) {
        throw new IllegalArgumentException(
            "a field's name of " + name.length + " bytes; it may have " + MAX_NAME);
      }
      encoded.put(name, field.getValue());
      length = Math.addExact(length, HEAD + name.length + field.getValue().length);
    }
    ByteBuffer value = ByteBuffer.allocate(length);
    encoded.forEach(
        (name, content) ->
            value.putShort((short) name.length).putInt(content.length).put(name).put(content));
    return value.array();
  }

  /** Gives YCSB those that it names; null: all. */
  void copyTo(Map<String, ByteIterator> result, @Nullable Set<String> names) {
    contents.forEach(
        (name, content) -> {
          if (names == null || names.contains(name)) {
            result.put(name, new ByteArrayByteIterator(content));
          }
        });
  }
}
