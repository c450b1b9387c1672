// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Memory of a message, in one piece or with gaps, which nobody may write to. */
final class Buffer {

  private static final byte GAP = 0x5a;
  private static final int CHUNK = 24;
  private static final int STRIDE = 40;

  private final byte[] memory;
  private final int bytes;
  private final boolean hasGaps;

  Buffer(int bytes, boolean hasGaps) {
    this.bytes = bytes;
    this.hasGaps = hasGaps;
    this.memory = new byte[hasGaps ? (bytes / CHUNK + 1) * STRIDE : bytes];
    Arrays.fill(memory, GAP);
  }

  static Buffer with(byte[] message, boolean hasGaps) {
    Buffer made = new Buffer(message.length, hasGaps);
    made.layout().scatter(0, message.length, MemorySegment.ofArray(message), 0);
    return made;
  }

  Layout layout() {
    return hasGaps ? new Strided() : Layout.of(MemorySegment.ofArray(memory));
  }

  /** What is in it; nothing is in the gaps. */
  byte[] message() {
    byte[] message = new byte[bytes];
    layout().gather(0, bytes, MemorySegment.ofArray(message), 0);
    for (int i = 0; hasGaps && i < memory.length; i++) {
      if (i % STRIDE >= CHUNK) {
        assertThat(memory[i]).as("gap at %d", i).isEqualTo(GAP);
      }
    }
    return message;
  }

  private final class Strided implements Layout {
    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public void gather(long from, long count, MemorySegment to, long at) {
      for (long done = 0; done < count; done += piece(from + done, count - done)) {
        long piece = piece(from + done, count - done);
        MemorySegment.copy(MemorySegment.ofArray(memory), place(from + done), to, at + done, piece);
      }
    }

    @Override
    public void scatter(long to, long count, MemorySegment source, long at) {
      for (long done = 0; done < count; done += piece(to + done, count - done)) {
        long piece = piece(to + done, count - done);
        MemorySegment.copy(
            source, at + done, MemorySegment.ofArray(memory), place(to + done), piece);
      }
    }

    private long piece(long from, long atMost) {
      return Math.min(CHUNK - from % CHUNK, atMost);
    }

    private long place(long index) {
      return index / CHUNK * STRIDE + index % CHUNK;
    }
  }
}
