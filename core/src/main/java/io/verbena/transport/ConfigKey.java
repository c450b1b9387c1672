// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

/**
 * One configuration key.
 *
 * @param name as written in properties files, e.g. {@code tcp.socket.buffer.bytes}
 * @param kind what values look like
 * @param defaultValue in the same form; empty if there is none
 * @param range the accepted values in words, for numbers and durations {@code low..high} in the
 *     same unit syntax as values
 * @param description one sentence: what it does, what it costs, when to change it
 */
public record ConfigKey(
    String name, Kind kind, String defaultValue, String range, String description) {

  /** What values look like. */
  public enum Kind {
    /** Any text. */
    TEXT,
    /** {@code true} or {@code false}. */
    BOOLEAN,
    /** A whole number. */
    NUMBER,
    /** A number of bytes: {@code 65536}, {@code 64K}, {@code 1M}, {@code 1G} (powers of 1024). */
    BYTES,
    /** A time: {@code 20us}, {@code 5ms}, {@code 10s}, {@code 1m}. */
    DURATION,
    /** One of the words in the range, separated by {@code |}. */
    CHOICE,
    /** Text that never appears in logs or errors. */
    SECRET
  }
}
