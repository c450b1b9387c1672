// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.Request;
import io.verbena.mpi.device.SendRequest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Each with all whom it is to do with, at once: one step, so the shortest time as long as messages
 * cost less than steps do.
 */
final class Linear {

  private Linear() {}

  static void barrier(Call call) throws InterruptedException {
    List<Request> all = new ArrayList<>();
    for (int step = 1; step < call.size(); step++) {
      all.add(call.irecv(call.behind(step), Layout.empty()));
      all.add(call.isend(call.ahead(step), Layout.empty()));
    }
    call.await(all);
  }

  static void bcast(Call call, Layout data, int root) throws InterruptedException {
    if (call.self() == root) {
      call.await(sendToOthers(call, data));
    } else {
      call.recv(root, data);
    }
  }

  private static List<SendRequest> sendToOthers(Call call, Layout data) {
    List<SendRequest> sends = new ArrayList<>();
    for (int step = 1; step < call.size(); step++) {
      sends.add(call.isend(call.ahead(step), data));
    }
    return sends;
  }

  /** At the root, whose own block is there. */
  static void gather(Call call, Blocks all) throws InterruptedException {
    List<Request> receives = new ArrayList<>();
    for (int step = 1; step < call.size(); step++) {
      int from = call.ahead(step);
      receives.add(call.irecv(from, all.at(from)));
    }
    call.await(receives);
  }

  /** At the root, which does not send its own block. */
  static void scatter(Call call, Blocks all) throws InterruptedException {
    call.await(sendBlocks(call, all));
  }

  private static List<SendRequest> sendBlocks(Call call, Blocks all) {
    List<SendRequest> sends = new ArrayList<>();
    for (int step = 1; step < call.size(); step++) {
      int to = call.ahead(step);
      sends.add(call.isend(to, all.at(to)));
    }
    return sends;
  }

  /** This member's block is in its place. */
  static void allgather(Call call, Blocks all) throws InterruptedException {
    List<SendRequest> sends = sendToOthers(call, all.at(call.self()));
    gather(call, all);
    call.await(sends);
  }

  /** This member's block for itself is in its place. */
  static void alltoall(Call call, Blocks from, Blocks into) throws InterruptedException {
    List<SendRequest> sends = sendBlocks(call, from);
    gather(call, into);
    call.await(sends);
  }

  // ---------------------------------------------------------------- reductions

  /** At the root: what all members send to it. */
  static MemorySegment reduce(Call call, Layout from, Workspace work) throws InterruptedException {
    return fold(call, from, work, call.size());
  }

  static MemorySegment allreduce(Call call, Layout from, Workspace work)
      throws InterruptedException {
    List<SendRequest> sends = sendToOthers(call, from);
    MemorySegment result = fold(call, from, work, call.size());
    call.await(sends);
    return result;
  }

  /** Leaves this member's slice of the result. */
  static MemorySegment reduceScatter(Call call, Layout from, Slices slices, Workspace work)
      throws InterruptedException {
    Blocks parts = slices.of(from);
    List<SendRequest> sends = sendBlocks(call, parts);
    MemorySegment result = fold(call, parts.at(call.self()), work, call.size());
    call.await(sends);
    return result;
  }

  /**
   * What members up to this one give.
   *
   * @param isExclusive whether this one's does not count; nothing is left at member 0 then
   */
  static MemorySegment scan(Call call, Layout from, Workspace work, boolean isExclusive)
      throws InterruptedException {
    List<SendRequest> sends = new ArrayList<>();
    for (int to = call.self() + 1; to < call.size(); to++) {
      sends.add(call.isend(to, from));
    }
    int end = isExclusive ? call.self() : call.self() + 1;
    MemorySegment result = end == 0 ? work.section(0, 0) : fold(call, from, work, end);
    call.await(sends);
    return result;
  }

  /** Reduces what members 0 to {@code end - 1} send to this one, in their order. */
  private static MemorySegment fold(Call call, Layout own, Workspace work, int end)
      throws InterruptedException {
    long bytes = own.bytes();
    MemorySegment all = work.section(0, end * bytes);
    @Nullable Request[] receives = new Request[end];
    for (int member = 0; member < end; member++) {
      MemorySegment section = all.asSlice(member * bytes, bytes);
      if (member == call.self()) {
        own.gather(0, bytes, section, 0);
      } else {
        receives[member] = call.irecv(member, Layout.of(section));
      }
    }
    MemorySegment result = all.asSlice((end - 1) * bytes, bytes);
    for (int member = end - 1; member >= 0; member--) {
      Request receive = receives[member];
      if (receive != null) {
        call.await(receive);
      }
      if (member < end - 1) {
        work.apply(all.asSlice(member * bytes, bytes), result);
      }
    }
    return result;
  }
}
