// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Context;
import io.verbena.mpi.device.Device;
import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.RankLostException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The collective operations of one group of ranks, as one member calls them. All members make the
 * same calls in the same order; one thread of a member at a time. Each call returns when this
 * member's part in it is over: its memory may be used again, and what it is to get is there. Only a
 * barrier says anything of the others. When a call ends by an exception nothing is written to its
 * memory any more; members that are slow may still read what it was to send. The others may wait
 * for it, and it cannot be made once more: its messages are those of the next call.
 *
 * <p><b>Data.</b> Messages are {@link Layout}s. What one member sends has as many bytes as the
 * other one has room for. What is written to must not overlap with anything else of the call. What
 * MPI calls "in place" is {@code null} for the memory that is sent: it then lies where the result
 * is to be.
 *
 * <p><b>Reductions</b> are applied in the order of the members, unless they commute; also then all
 * members get the same bytes, and get them again from the same numbers.
 *
 * <p><b>Loss.</b> When a member is lost, the calls that wait for it, or for one that waited for it,
 * end with a {@link RankLostException} on every member, and so do all later ones there.
 */
public final class Collectives {

  private final Device device;
  private final Context context;
  private final int self;
  private final Choice choice;
  private final boolean isOneHost; // all members
  private final AtomicBoolean isBusy = new AtomicBoolean();

  // By the thread that is in a call.
  private int calls;
  private @Nullable RankLostException loss;
  private @Nullable Workspace workspace;

  /**
   * Makes the collectives of a group.
   *
   * @param context the members; nobody else uses it
   * @param self this rank's number in it
   * @param choice by which algorithm each call goes; the same on all members
   */
  public Collectives(Device device, Context context, int self, Choice choice) {
    if (context.rankOf(self) != device.rank()) {
      throw new IllegalArgumentException(
          "member %d of the context is rank %d, and this is rank %d"
              .formatted(self, context.rankOf(self), device.rank()));
    }
    this.device = device;
    this.context = context;
    this.self = self;
    this.choice = choice;
    this.isOneHost = device.isOneHost(context);
  }

  /** How many members there are. */
  public int size() {
    return context.size();
  }

  // ---------------------------------------------------------------- data

  /** Returns when all members have called it. */
  public void barrier() throws InterruptedException {
    Algorithm way = way(Operation.BARRIER, 0);
    run(
        Operation.BARRIER,
        call -> {
          if (way == Algorithm.LINEAR) {
            Linear.barrier(call);
          } else {
            Dissemination.barrier(call);
          }
        });
  }

  /**
   * Copies the root's data to all.
   *
   * @param data as many bytes on all members
   */
  public void bcast(Layout data, int root) throws InterruptedException {
    checkRoot(root);
    Algorithm way = way(Operation.BCAST, data.bytes());
    run(
        Operation.BCAST,
        call -> {
          switch (way) {
            case LINEAR -> Linear.bcast(call, data, root);
            case BINOMIAL -> Binomial.bcast(call, data, root);
            default -> Chain.bcast(call, data, root);
          }
        });
  }

  /**
   * Copies each member's data to the root; all have as many bytes.
   *
   * @param mine null at the root if its data lies in its block already
   * @param all where it goes; at the root alone
   */
  public void gather(@Nullable Layout mine, @Nullable Blocks all, int root)
      throws InterruptedException {
    gather(Operation.GATHER, mine, all, root);
  }

  /** As {@link #gather}; members may have different numbers of bytes. */
  public void gatherv(@Nullable Layout mine, @Nullable Blocks all, int root)
      throws InterruptedException {
    gather(Operation.GATHERV, mine, all, root);
  }

  private void gather(Operation operation, @Nullable Layout mine, @Nullable Blocks all, int root)
      throws InterruptedException {
    checkRoot(root);
    Blocks blocks = self == root ? checked(all) : null;
    Layout own = blocks == null ? needed(mine, "what this member sends") : blocks.at(self);
    Algorithm way = way(operation, own.bytes());
    run(
        operation,
        call -> {
          copyOwn(mine, blocks);
          if (way == Algorithm.BINOMIAL) {
            Binomial.gather(call, own, blocks, root);
          } else if (blocks == null) {
            call.send(root, own);
          } else {
            Linear.gather(call, blocks);
          }
        });
  }

  /**
   * Copies a block of the root's to each member; all have as many bytes.
   *
   * @param all what is sent; at the root alone
   * @param mine null at the root if its block is to stay where it is
   */
  public void scatter(@Nullable Blocks all, @Nullable Layout mine, int root)
      throws InterruptedException {
    scatter(Operation.SCATTER, all, mine, root);
  }

  /** As {@link #scatter}; members may have different numbers of bytes. */
  public void scatterv(@Nullable Blocks all, @Nullable Layout mine, int root)
      throws InterruptedException {
    scatter(Operation.SCATTERV, all, mine, root);
  }

  private void scatter(Operation operation, @Nullable Blocks all, @Nullable Layout mine, int root)
      throws InterruptedException {
    checkRoot(root);
    Blocks blocks = self == root ? checked(all) : null;
    Layout own = blocks == null ? needed(mine, "where this member's block goes") : blocks.at(self);
    Algorithm way = way(operation, own.bytes());
    run(
        operation,
        call -> {
          if (way == Algorithm.BINOMIAL) {
            Binomial.scatter(call, blocks, own, root);
          } else if (blocks == null) {
            call.recv(root, own);
          } else {
            Linear.scatter(call, blocks);
          }
          if (blocks != null && mine != null) {
            Layout.copy(own, mine, own.bytes());
          }
        });
  }

  /**
   * Copies each member's data to all; they may have different numbers of bytes.
   *
   * @param mine null if it lies in its block already
   * @param all the same lengths on all members
   */
  public void allgather(@Nullable Layout mine, Blocks all) throws InterruptedException {
    Blocks blocks = checked(all);
    Algorithm way = way(Operation.ALLGATHER, average(blocks));
    run(
        Operation.ALLGATHER,
        call -> {
          copyOwn(mine, blocks);
          allgather(call, way, blocks);
        });
  }

  private static void allgather(Call call, Algorithm way, Blocks all) throws InterruptedException {
    switch (way) {
      case RING -> Ring.allgather(call, all);
      case RECURSIVE_DOUBLING -> RecursiveDoubling.allgather(call, all);
      default -> Linear.allgather(call, all);
    }
  }

  /**
   * Copies block {@code j} of member {@code i} to block {@code i} of member {@code j}; all have as
   * many bytes.
   *
   * @param from null if it is {@code into}, which the others' blocks replace then
   */
  public void alltoall(@Nullable Blocks from, Blocks into) throws InterruptedException {
    alltoall(Operation.ALLTOALL, from, into);
  }

  /**
   * As {@link #alltoall}; blocks may have different numbers of bytes. In place, what two members
   * exchange has as many bytes in both directions.
   */
  public void alltoallv(@Nullable Blocks from, Blocks into) throws InterruptedException {
    alltoall(Operation.ALLTOALLV, from, into);
  }

  private void alltoall(Operation operation, @Nullable Blocks from, Blocks into)
      throws InterruptedException {
    Blocks received = checked(into);
    Blocks sent = from == null ? copies(received) : checked(from);
    // Members need not agree on the way here: all of them send the same messages.
    Algorithm way = way(operation, average(received));
    run(
        operation,
        call -> {
          if (from != null) {
            copyOwn(sent.at(self), received);
          }
          if (way == Algorithm.LINEAR) {
            Linear.alltoall(call, sent, received);
          } else {
            Pairwise.alltoall(call, sent, received);
          }
        });
  }

  private static long average(Blocks blocks) {
    long bytes = 0;
    for (int member = 0; member < blocks.count(); member++) {
      bytes += blocks.at(member).bytes();
    }
    return bytes / blocks.count();
  }

  private static Blocks copies(Blocks of) {
    Layout[] copies = new Layout[of.count()];
    Arrays.setAll(copies, member -> copy(of.at(member)));
    return Blocks.of(copies);
  }

  private static Layout copy(Layout of) {
    Layout copy = Layout.of(MemorySegment.ofArray(new byte[Math.toIntExact(of.bytes())]));
    Layout.copy(of, copy, of.bytes());
    return copy;
  }

  // ---------------------------------------------------------------- reductions

  /**
   * Reduces all members' data to the root.
   *
   * @param from as many bytes on all members; null at the root if it lies in {@code into}
   * @param into where the result goes; at the root alone
   */
  public void reduce(@Nullable Layout from, @Nullable Layout into, Reduction reduction, int root)
      throws InterruptedException {
    checkRoot(root);
    Layout result = self == root ? needed(into, "where the root's result goes") : null;
    Layout data = from == null ? needed(result, "what this member sends") : from;
    Algorithm way = way(Operation.REDUCE, data, reduction);
    run(
        Operation.REDUCE,
        call -> {
          Workspace work = workspace(reduction);
          switch (way) {
            case LINEAR -> reduceAtRoot(call, data, result, work, root);
            case BINOMIAL -> unpack(Binomial.reduce(call, data, work, root), result);
            default -> reduceBySlices(call, data, result, work, root);
          }
        });
  }

  private static void reduceAtRoot(
      Call call, Layout from, @Nullable Layout into, Workspace work, int root)
      throws InterruptedException {
    if (call.self() == root) {
      unpack(Linear.reduce(call, from, work), into);
    } else {
      call.send(root, from);
    }
  }

  private static void reduceBySlices(
      Call call, Layout from, @Nullable Layout into, Workspace work, int root)
      throws InterruptedException {
    Slices slices = work.slices(from.bytes(), call.size());
    MemorySegment own = Linear.reduceScatter(call, from, slices, work);
    if (into == null) {
      call.send(root, Layout.of(own));
    } else {
      Blocks parts = slices.of(into);
      unpack(own, parts.at(call.self()));
      Linear.gather(call, parts);
    }
  }

  /**
   * Reduces all members' data to all of them.
   *
   * @param from as many bytes on all members; null if it lies in {@code into}
   */
  public void allreduce(@Nullable Layout from, Layout into, Reduction reduction)
      throws InterruptedException {
    Layout data = from == null ? into : from;
    Algorithm way = way(Operation.ALLREDUCE, data, reduction);
    run(
        Operation.ALLREDUCE,
        call -> {
          Workspace work = workspace(reduction);
          switch (way) {
            case LINEAR -> unpack(Linear.allreduce(call, data, work), into);
            case RECURSIVE_DOUBLING -> unpack(RecursiveDoubling.allreduce(call, data, work), into);
            default -> allreduceBySlices(call, way, data, into, work);
          }
        });
  }

  private static void allreduceBySlices(
      Call call, Algorithm way, Layout from, Layout into, Workspace work)
      throws InterruptedException {
    Slices slices = work.slices(from.bytes(), call.size());
    MemorySegment own = reduceScatter(call, way, from, slices, work);
    Blocks parts = slices.of(into);
    unpack(own, parts.at(call.self()));
    allgather(call, way, parts);
  }

  private static MemorySegment reduceScatter(
      Call call, Algorithm way, Layout from, Slices slices, Workspace work)
      throws InterruptedException {
    return way == Algorithm.RING
        ? Ring.reduceScatter(call, from, slices, work)
        : Linear.reduceScatter(call, from, slices, work);
  }

  /**
   * Reduces all members' data, and gives each its part of the result.
   *
   * @param from all parts, on each member
   * @param counts how many elements each member gets, in their order; the same on all
   * @param into this member's part; may overlap with {@code from}
   */
  public void reduceScatter(Layout from, int[] counts, Layout into, Reduction reduction)
      throws InterruptedException {
    Slices slices = slices(counts, from, reduction);
    Algorithm way = way(Operation.REDUCE_SCATTER, from, reduction);
    run(
        Operation.REDUCE_SCATTER,
        call -> unpack(reduceScatter(call, way, from, slices, workspace(reduction)), into));
  }

  private Slices slices(int[] counts, Layout from, Reduction reduction) {
    if (counts.length != size()) {
      throw new IllegalArgumentException(
          "%d counts for %d members".formatted(counts.length, size()));
    }
    Slices slices = Slices.of(counts, reduction.elementBytes());
    if (slices.bytes() != from.bytes()) {
      throw new IllegalArgumentException(
          "parts of %d bytes together, of a message of %d".formatted(slices.bytes(), from.bytes()));
    }
    return slices;
  }

  /**
   * Reduces the data of the members up to this one.
   *
   * @param from as many bytes on all members; null if it lies in {@code into}
   */
  public void scan(@Nullable Layout from, Layout into, Reduction reduction)
      throws InterruptedException {
    scan(Operation.SCAN, from, into, reduction);
  }

  /**
   * Reduces the data of the members before this one; nothing is written at member 0.
   *
   * @param from as many bytes on all members; null if it lies in {@code into}
   */
  public void exscan(@Nullable Layout from, Layout into, Reduction reduction)
      throws InterruptedException {
    scan(Operation.EXSCAN, from, into, reduction);
  }

  private void scan(Operation operation, @Nullable Layout from, Layout into, Reduction reduction)
      throws InterruptedException {
    Layout data = from == null ? into : from;
    boolean isExclusive = operation == Operation.EXSCAN;
    Algorithm way = way(operation, data, reduction);
    run(
        operation,
        call -> {
          Workspace work = workspace(reduction);
          MemorySegment result =
              way == Algorithm.LINEAR
                  ? Linear.scan(call, data, work, isExclusive)
                  : RecursiveDoubling.scan(call, data, work, isExclusive);
          unpack(result, isExclusive && self == 0 ? null : into);
        });
  }

  private static void unpack(MemorySegment from, @Nullable Layout into) {
    if (into != null) {
      into.scatter(0, from.byteSize(), from, 0);
    }
  }

  // ---------------------------------------------------------------- a call

  /** What a member does in a call. */
  private interface Program {
    void run(Call call) throws InterruptedException;
  }

  private void run(Operation operation, Program program) throws InterruptedException {
    if (!isBusy.compareAndSet(false, true)) {
      throw new IllegalStateException(
          operation + " while another thread is in a collective call of the same group");
    }
    try {
      checkLoss();
      Call call = new Call(device, context, self, operation.tag(calls++));
      boolean isWell = false;
      try {
        program.run(call);
        isWell = true;
      } catch (RankLostException e) {
        lost(e);
        throw e;
      } finally {
        end(call, isWell);
      }
    } finally {
      isBusy.set(false);
    }
  }

  private void lost(RankLostException why) {
    loss = why;
    Obituary.tell(device, context, self, why);
  }

  private void checkLoss() {
    if (loss != null) {
      throw loss.again();
    }
  }

  private void end(Call call, boolean isWell) throws InterruptedException {
    if (isWell) {
      RankLostException heard = call.end();
      if (heard != null) {
        lost(heard); // the next call may need that member, or one that has heard of it
      }
      if (workspace != null) {
        workspace.trim();
      }
    } else {
      workspace = null; // sends may still read it
      call.abandon();
    }
  }

  private Workspace workspace(Reduction reduction) {
    Workspace kept = workspace;
    if (kept == null || !kept.reduction.equals(reduction)) {
      kept = new Workspace(reduction);
      workspace = kept;
    }
    return kept;
  }

  private Algorithm way(Operation operation, long bytes) {
    return choice.of(operation, bytes, size(), isOneHost, true);
  }

  private Algorithm way(Operation operation, Layout data, Reduction reduction) {
    if (data.bytes() % reduction.elementBytes() != 0) {
      throw new IllegalArgumentException(
          "a message of %d bytes, of elements of %d"
              .formatted(data.bytes(), reduction.elementBytes()));
    }
    return choice.of(operation, data.bytes(), size(), isOneHost, reduction.isCommutative());
  }

  // ---------------------------------------------------------------- arguments

  private void checkRoot(int root) {
    if (root < 0 || root >= size()) {
      throw new IllegalArgumentException("root %d of %d members".formatted(root, size()));
    }
  }

  private static <T> T needed(@Nullable T argument, String what) {
    return Objects.requireNonNull(argument, () -> what + " is missing");
  }

  private Blocks checked(@Nullable Blocks blocks) {
    Blocks all = needed(blocks, "the members' blocks");
    if (all.count() != size()) {
      throw new IllegalArgumentException("%d blocks for %d members".formatted(all.count(), size()));
    }
    return all;
  }

  private void copyOwn(@Nullable Layout mine, @Nullable Blocks all) {
    if (mine != null && all != null) {
      Layout.copy(mine, all.at(self), mine.bytes());
    }
  }
}
