// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma.internal;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.MemoryLayout.PathElement.sequenceElement;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.natives.Struct;
import io.verbena.natives.Structs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Arrivals as the library writes them: by the struct's layout, which is compared with C's. */
class ArrivalsTest {

  private static final int LAST = Arrivals.ROOM - 1;

  private final Arena arena = Arena.ofAuto();
  private final Arrivals arrivals = new Arrivals(arena);

  private void write(int index, String member, long value) {
    struct(index).setLong(member, value);
  }

  private Struct struct(int index) {
    long bytes = Structs.ARRIVAL.byteSize();
    return new Struct(Structs.ARRIVAL, arrivals.array().asSlice(index * bytes, bytes));
  }

  private void writePiece(int index, int piece, MemorySegment bytes) {
    MemorySegment memory = struct(index).memory();
    memory.set(ValueLayout.JAVA_LONG, offset(piece, "start"), bytes.address());
    memory.set(ValueLayout.JAVA_LONG, offset(piece, "bytes"), bytes.byteSize());
  }

  private static long offset(int piece, String member) {
    PathElement[] path = {groupElement("pieces"), sequenceElement(piece), groupElement(member)};
    return Structs.ARRIVAL.byteOffset(path);
  }

  @Test
  void eachMemberIsReadFromItsOwnArrival() {
    for (int index : new int[] {0, LAST}) {
      write(index, "link", 0x1_0000_0000L + index);
      write(index, "position", (7L << 40) + index);
      struct(index).setInt("stream", 3 + index);
      struct(index).setInt("bytes", 100 + index);
      struct(index).setInt("receive", 0x5EED);
      struct(index).setInt("piece_count", 2);
    }
    for (int index : new int[] {0, LAST}) {
      assertThat(arrivals.link(index)).isEqualTo(0x1_0000_0000L + index);
      assertThat(arrivals.position(index)).isEqualTo((7L << 40) + index);
      assertThat(arrivals.stream(index)).isEqualTo(3 + index);
      assertThat(arrivals.length(index)).isEqualTo(100 + index);
      assertThat(arrivals.pieceCount(index)).isEqualTo(2);
    }
  }

  @Test
  void piecesAreReadWhereTheyLie() {
    MemorySegment first = arena.allocateFrom("first");
    MemorySegment second = arena.allocateFrom("the second");
    writePiece(LAST, 0, first);
    writePiece(LAST, 3, second);
    assertThat(text(LAST, 0)).isEqualTo("first");
    assertThat(text(LAST, 3)).isEqualTo("the second");
  }

  private String text(int index, int piece) {
    int length = arrivals.pieceLength(index, piece);
    return arrivals.memory().asSlice(arrivals.pieceStart(index, piece), length).getString(0);
  }
}
