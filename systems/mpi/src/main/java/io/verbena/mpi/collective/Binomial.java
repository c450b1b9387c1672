// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.Request;
import io.verbena.mpi.device.SendRequest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A tree over the members, counted from the root on: the parent of one is what is left of its
 * number without its lowest bit, and below it are all up to the next number with that bit.
 */
final class Binomial {

  private Binomial() {}

  /** Its place in the tree: how far behind the root it stands. */
  private static int place(Call call, int root) {
    return (call.self() - root + call.size()) % call.size();
  }

  private static int member(Call call, int root, int place) {
    return (root + place) % call.size();
  }

  /** How far its last child is away, times two: its lowest bit, or for the root more than all. */
  private static int reach(Call call, int place) {
    return place == 0 ? 2 * Integer.highestOneBit(call.size()) : Integer.lowestOneBit(place);
  }

  static void bcast(Call call, Layout data, int root) throws InterruptedException {
    int place = place(call, root);
    int reach = reach(call, place);
    if (place != 0) {
      call.recv(member(call, root, place - reach), data);
    }
    List<SendRequest> sends = new ArrayList<>();
    for (int child = reach / 2; child > 0; child /= 2) {
      if (place + child < call.size()) {
        sends.add(call.isend(member(call, root, place + child), data));
      }
    }
    call.await(sends);
  }

  // ---------------------------------------------------------------- blocks of equal length

  /**
   * @param all the root's, whose own block is in its place; else null
   * @param mine another member's
   */
  static void gather(Call call, @Nullable Layout mine, @Nullable Blocks all, int root)
      throws InterruptedException {
    int place = place(call, root);
    Subtree own = Subtree.of(call, place, root, mine, all);
    List<Request> receives = new ArrayList<>();
    for (int child = 1; child < own.reach && place + child < call.size(); child *= 2) {
      receives.add(call.irecv(member(call, root, place + child), own.below(child)));
    }
    call.await(receives);
    if (place != 0) {
      call.send(member(call, root, place - own.reach), own.all());
    }
  }

  /**
   * @param all the root's, which keeps its own block; else null
   * @param mine another member's
   */
  static void scatter(Call call, @Nullable Blocks all, @Nullable Layout mine, int root)
      throws InterruptedException {
    int place = place(call, root);
    Subtree own = Subtree.of(call, place, root, mine, all);
    if (place != 0) {
      call.recv(member(call, root, place - own.reach), own.all());
    }
    List<Request> sends = new ArrayList<>();
    for (int child = own.reach / 2; child > 0; child /= 2) {
      if (place + child < call.size()) {
        sends.add(call.isend(member(call, root, place + child), own.below(child)));
      }
    }
    call.await(sends);
  }

  /** The blocks of a member and of all below it. */
  private static final class Subtree {
    final int reach;
    private final Blocks blocks;
    private final int first;
    private final int count;

    private Subtree(int reach, Blocks blocks, int first, int count) {
      this.reach = reach;
      this.blocks = blocks;
      this.first = first;
      this.count = count;
    }

    static Subtree of(Call call, int place, int root, @Nullable Layout mine, @Nullable Blocks all) {
      int reach = reach(call, place);
      int count = Math.min(reach, call.size() - place);
      if (all != null) {
        return new Subtree(reach, all, root, count);
      }
      Layout own = Objects.requireNonNull(mine);
      return new Subtree(reach, withRoom(own, count), 0, count);
    }

    /** A member's own block, and memory for those below it. */
    private static Blocks withRoom(Layout own, int count) {
      Layout[] blocks = new Layout[count];
      blocks[0] = own;
      for (int i = 1; i < count; i++) {
        blocks[i] = Layout.of(MemorySegment.ofArray(new byte[Math.toIntExact(own.bytes())]));
      }
      return Blocks.of(blocks);
    }

    Layout all() {
      return blocks.row(first, count);
    }

    /** Those of a child, and of all below that. */
    Layout below(int child) {
      return blocks.row(first + child, Math.min(child, count - child));
    }
  }

  // ---------------------------------------------------------------- reduction

  /**
   * Leaves the result at the root; elsewhere nothing. One that does not commute goes to member 0
   * first.
   */
  static MemorySegment reduce(Call call, Layout from, Workspace work, int root)
      throws InterruptedException {
    int top = work.reduction.isCommutative() ? root : 0;
    MemorySegment sum = reduceTo(call, from, work, top);
    if (top != root && call.self() == top) {
      call.send(root, Layout.of(sum));
    } else if (top != root && call.self() == root) {
      call.recv(top, Layout.of(sum));
    }
    return sum;
  }

  private static MemorySegment reduceTo(Call call, Layout from, Workspace work, int top)
      throws InterruptedException {
    int place = place(call, top);
    int reach = reach(call, place);
    MemorySegment sum = work.section(0, from);
    MemorySegment next = work.section(1, from.bytes());
    for (int child = 1; child < reach && place + child < call.size(); child *= 2) {
      call.recv(member(call, top, place + child), Layout.of(next));
      work.apply(sum, next); // whose members come behind
      MemorySegment free = sum;
      sum = next;
      next = free;
    }
    if (place != 0) {
      call.send(member(call, top, place - reach), Layout.of(sum));
    }
    return sum;
  }
}
