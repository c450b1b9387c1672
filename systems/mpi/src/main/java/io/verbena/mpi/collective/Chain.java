// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.Request;
import java.util.ArrayList;
import java.util.List;

/** From each to the next, by pieces: all are busy once the first piece has come to the last one. */
final class Chain {

  private static final long PIECE_BYTES = 32 << 10;

  private Chain() {}

  static void bcast(Call call, Layout data, int root) throws InterruptedException {
    boolean isFirst = call.self() == root;
    boolean isLast = call.ahead(1) == root;
    List<Request> receives = new ArrayList<>();
    List<Request> sends = new ArrayList<>();
    for (Layout piece : pieces(data)) {
      if (!isFirst) {
        receives.add(call.irecv(call.behind(1), piece));
      }
    }
    int number = 0;
    for (Layout piece : pieces(data)) {
      if (!isFirst) {
        call.await(receives.get(number++));
      }
      if (!isLast) {
        sends.add(call.isend(call.ahead(1), piece));
      }
    }
    call.await(sends);
  }

  private static List<Layout> pieces(Layout data) {
    List<Layout> pieces = new ArrayList<>();
    for (long begin = 0; begin < data.bytes(); begin += PIECE_BYTES) {
      pieces.add(data.section(begin, Math.min(PIECE_BYTES, data.bytes() - begin)));
    }
    return pieces;
  }
}
