// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.Request;
import java.lang.foreign.MemorySegment;

/** Exchanges at distance 1, 2, 4, …, each of all that a member has by then. */
final class RecursiveDoubling {

  private RecursiveDoubling() {}

  /** Of a power of two members; this one's block is in its place. */
  static void allgather(Call call, Blocks all) throws InterruptedException {
    for (int distance = 1; distance < call.size(); distance *= 2) {
      int partner = call.self() ^ distance;
      int own = call.self() & -distance; // the first of those whose blocks are here
      Layout sent = all.row(own, distance);
      call.exchange(partner, sent, partner, all.row(own ^ distance, distance));
    }
  }

  // ---------------------------------------------------------------- allreduce

  /**
   * Of any number of members. What exceeds a power of two is taken from the first ones: of each two
   * neighbours the second goes on with what both have, and tells the first one afterwards. So what
   * a member has is always what neighbours have given, in their order; both partners of an exchange
   * compute the same.
   */
  static MemorySegment allreduce(Call call, Layout from, Workspace work)
      throws InterruptedException {
    int goOn = Integer.highestOneBit(call.size());
    int pairs = call.size() - goOn;
    MemorySegment sum = work.section(0, from);
    MemorySegment next = work.section(1, from.bytes());
    boolean isOfPair = call.self() < 2 * pairs;
    if (isOfPair && call.self() % 2 == 0) {
      call.send(call.self() + 1, Layout.of(sum));
      call.recv(call.self() + 1, Layout.of(sum));
      return sum;
    }
    if (isOfPair) {
      call.recv(call.self() - 1, Layout.of(next));
      work.apply(next, sum);
    }
    int number = isOfPair ? call.self() / 2 : call.self() - pairs; // among those that go on
    for (int distance = 1; distance < goOn; distance *= 2) {
      int other = number ^ distance;
      int partner = other < pairs ? 2 * other + 1 : other + pairs;
      call.exchange(partner, Layout.of(sum), partner, Layout.of(next));
      if (other < number) {
        work.apply(next, sum);
      } else {
        work.apply(sum, next);
        MemorySegment free = sum;
        sum = next;
        next = free;
      }
    }
    if (isOfPair) {
      call.send(call.self() - 1, Layout.of(sum));
    }
    return sum;
  }

  // ---------------------------------------------------------------- scan

  /**
   * What members up to this one give. Before the step at distance d, a member has what the d
   * members up to it give.
   *
   * @param isExclusive whether this one's does not count; nothing is left at member 0 then
   */
  static MemorySegment scan(Call call, Layout from, Workspace work, boolean isExclusive)
      throws InterruptedException {
    MemorySegment sum = work.section(0, from);
    MemorySegment next = work.section(1, from.bytes());
    MemorySegment before = work.section(2, isExclusive ? from.bytes() : 0); // without this one's
    for (int distance = 1; distance < call.size(); distance *= 2) {
      int source = call.self() - distance;
      step(call, sum, next, distance);
      if (source >= 0) {
        work.apply(next, sum);
      }
      if (source >= 0 && isExclusive && distance == 1) {
        before.copyFrom(next);
      } else if (source >= 0 && isExclusive) {
        work.apply(next, before);
      }
    }
    return isExclusive ? before : sum;
  }

  private static void step(Call call, MemorySegment sum, MemorySegment next, int distance)
      throws InterruptedException {
    int source = call.self() - distance;
    int to = call.self() + distance;
    Request send = to < call.size() ? call.isend(to, Layout.of(sum)) : null;
    if (source >= 0) {
      call.recv(source, Layout.of(next));
    }
    if (send != null) {
      call.await(send);
    }
  }
}
