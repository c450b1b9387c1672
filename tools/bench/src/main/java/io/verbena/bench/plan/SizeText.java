// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

import io.verbena.transport.ConfigKey;

/** Numbers of bytes as people write them: {@code 64}, {@code 64K}, {@code 1M}. */
public final class SizeText {

  /** Read as any size in a node's configuration is. */
  private static final ConfigKey SIZE =
      new ConfigKey("size", ConfigKey.Kind.BYTES, "", "1..16M", "Bytes of a message's body.");

  private SizeText() {}

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static int parse(String text) {
    long bytes;
    try {
      bytes = SIZE.number(text.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "size '" + text + "': expected bytes such as 64, 64K or 1M", e);
    }
    if (bytes < 1 || bytes > BenchPlan.MAX_SIZE_BYTES) {
      throw new IllegalArgumentException(
          "size '" + text + "': expected 1 byte to " + format(BenchPlan.MAX_SIZE_BYTES));
    }
    return (int) bytes;
  }

  /** Says one: {@code 64K} rather than {@code 65536}. */
  public static String format(int bytes) {
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
      return (bytes >> 20) + "M";
    }
    return bytes >= 1 << 10 && bytes % (1 << 10) == 0 ? (bytes >> 10) + "K" : "" + bytes;
  }
}
