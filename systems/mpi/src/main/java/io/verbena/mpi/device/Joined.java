// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/** Several layouts, one behind the other. */
final class Joined implements Layout {

  private final Layout[] parts; // none is empty
  private final long[] starts; // of each, and the end

  Joined(List<Layout> all) {
    parts = all.stream().filter(part -> part.bytes() > 0).toArray(Layout[]::new);
    starts = new long[parts.length + 1];
    for (int i = 0; i < parts.length; i++) {
      starts[i + 1] = starts[i] + parts[i].bytes();
    }
  }

  @Override
  public long bytes() {
    return starts[parts.length];
  }

  @Override
  public void gather(long from, long bytes, MemorySegment to, long at) {
    for (long done = 0; done < bytes; ) {
      int part = partAt(from + done);
      long inPart = from + done - starts[part];
      long piece = Math.min(bytes - done, parts[part].bytes() - inPart);
      parts[part].gather(inPart, piece, to, at + done);
      done += piece;
    }
  }

  @Override
  public void scatter(long to, long bytes, MemorySegment source, long at) {
    for (long done = 0; done < bytes; ) {
      int part = partAt(to + done);
      long inPart = to + done - starts[part];
      long piece = Math.min(bytes - done, parts[part].bytes() - inPart);
      parts[part].scatter(inPart, piece, source, at + done);
      done += piece;
    }
  }

  private int partAt(long place) {
    int found = Arrays.binarySearch(starts, place);
    return found < 0 ? -found - 2 : found;
  }
}
