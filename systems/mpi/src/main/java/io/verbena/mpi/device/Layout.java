// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Where the bytes of a message lie in the program's memory: what is sent is gathered from there and
 * what is received is scattered to there piece by piece, so nothing is packed in between. One
 * layout may serve several requests, at the same time, too.
 *
 * <p>A message is the bytes 0 to {@link #bytes} in the order in which they travel. The device asks
 * for pieces of any length, in ascending order, each once; it calls from any thread, one at a time
 * for a request. An implementation must not wait and must not call the device. The memory belongs
 * to the program, which leaves it alone until the request is done.
 */
public interface Layout {

  /** How many bytes the message has, or how many there is room for; never changes. */
  long bytes();

  /**
   * Copies {@code bytes} of the message, from byte {@code from} on, to {@code to} at {@code at}.
   */
  void gather(long from, long bytes, MemorySegment to, long at);

  /** Copies {@code bytes} of {@code source} at {@code at} into the message, from {@code to} on. */
  void scatter(long to, long bytes, MemorySegment source, long at);

  /** Memory in one piece: an array, a section of one, a direct buffer, a segment; also empty. */
  static Layout of(MemorySegment memory) {
    return new Contiguous(memory);
  }

  /** Several messages, one behind the other, as one. */
  static Layout joined(List<Layout> all) {
    return new Joined(all);
  }

  /** Some of the bytes, as a message of their own. */
  default Layout section(long first, long bytes) {
    return new Section(this, first, bytes);
  }

  /** A message without bytes. */
  static Layout empty() {
    return Contiguous.EMPTY;
  }

  /**
   * Copies the message that lies in {@code from} to {@code to}, {@code bytes} of it; by pieces if
   * neither is in one.
   */
  static void copy(Layout from, Layout to, long bytes) {
    if (to instanceof Contiguous(MemorySegment memory)) {
      from.gather(0, bytes, memory, 0);
    } else if (from instanceof Contiguous(MemorySegment memory)) {
      to.scatter(0, bytes, memory, 0);
    } else {
      MemorySegment between = MemorySegment.ofArray(new byte[(int) Math.min(bytes, 1 << 15)]);
      for (long done = 0; done < bytes; done += between.byteSize()) {
        long piece = Math.min(between.byteSize(), bytes - done);
        from.gather(done, piece, between, 0);
        to.scatter(done, piece, between, 0);
      }
    }
  }
}
