// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import java.lang.foreign.MemorySegment;

/**
 * The position of a reader in a message. Methods are small, so that the JIT inlines them and need
 * not create the object.
 */
final class Input {

  /** Both sides refuse deeper records, so that hostile bytes cannot overflow the stack. */
  static final int MAX_DEPTH = 256;

  final MemorySegment segment;
  private final long end;
  private long position;
  private int depth;

  Input(MemorySegment segment, long offset, int length) {
    this.segment = segment;
    this.position = offset;
    this.end = offset + length;
  }

  /** Steps over {@code bytes} and returns the offset at which they start. */
  long take(int bytes, String where) {
    long start = position;
    if (end - start < bytes) {
      throw Decoding.truncated(where, bytes, end - start);
    }
    position = start + bytes;
    return start;
  }

  /** Steps over so many bytes, which are known to be there; a negative number stands for null. */
  long step(int bytes) {
    long start = position;
    position = start + Math.max(0, bytes);
    return start;
  }

  int takeByte(String where) {
    long at = position;
    if (at >= end) {
      throw Decoding.truncated(where, 1, 0);
    }
    position = at + 1;
    return Encoding.getByte(segment, at) & 0xff;
  }

  long remaining() {
    return end - position;
  }

  void enter(String where) {
    if (++depth > MAX_DEPTH) {
      throw Decoding.tooDeep(where);
    }
  }

  void leave() {
    depth--;
  }

  /** Checks that nothing follows the last component. */
  void finish(String where) {
    if (position != end) {
      throw Decoding.leftOver(where, end - position);
    }
  }
}
