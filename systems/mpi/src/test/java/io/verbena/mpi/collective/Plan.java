// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One call that all members make: what each gives, and what each must get, as a sequential program
 * computes it.
 *
 * @param elements how long a message or a block is, in elements of eight bytes
 * @param seed of the data
 */
record Plan(
    Operation operation,
    int ranks,
    int root,
    int elements,
    boolean isCommutative,
    boolean isInPlace,
    boolean hasGaps,
    long seed,
    AtomicInteger arrived) {

  private static final int ELEMENT = 8;

  static Plan of(Operation operation, int ranks, int elements, Random random) {
    return new Plan(
        operation,
        ranks,
        random.nextInt(ranks),
        elements,
        random.nextBoolean(),
        random.nextBoolean(),
        random.nextBoolean(),
        random.nextLong(),
        new AtomicInteger());
  }

  @Override
  public String toString() {
    return "%s of %d members, root %d, %d elements%s%s%s, seed %d"
        .formatted(
            operation,
            ranks,
            root,
            elements,
            isCommutative ? "" : ", in order",
            isInPlace ? ", in place" : "",
            hasGaps ? ", with gaps" : "",
            seed);
  }

  /** Makes a member's call and looks at what it has got. */
  void run(Collectives all, int self) throws InterruptedException {
    switch (operation) {
      case BARRIER -> barrier(all);
      case BCAST -> bcast(all, self);
      case GATHER, GATHERV -> gather(all, self);
      case SCATTER, SCATTERV -> scatter(all, self);
      case ALLGATHER -> allgather(all, self);
      case ALLTOALL, ALLTOALLV -> alltoall(all, self);
      case REDUCE -> reduce(all, self);
      case ALLREDUCE -> allreduce(all, self);
      case REDUCE_SCATTER -> reduceScatter(all, self);
      case SCAN, EXSCAN -> scan(all, self);
    }
  }

  private void is(Buffer buffer, byte[] expected, int self) {
    assertThat(buffer.message()).as("%s: member %d", this, self).isEqualTo(expected);
  }

  // ---------------------------------------------------------------- data

  /** What one member has for another; of calls that have no such thing, {@code to} is 0. */
  private byte[] data(int from, int to) {
    byte[] data = new byte[bytes(from, to)];
    new Random(seed + from * 1000L + to).nextBytes(data);
    return data;
  }

  /** Lengths differ where they may; two members send each other as much. */
  private int bytes(int from, int to) {
    int bytes = elements * ELEMENT;
    return switch (operation) {
      case GATHERV, ALLGATHER -> bytes * (from % 3) / 2 + from;
      case SCATTERV -> bytes * (to % 3) / 2 + to;
      case ALLTOALLV -> bytes * ((from * to + from + to) % 3) / 2 + from * to;
      default -> bytes;
    };
  }

  private Buffer room(int from, int to) {
    return new Buffer(bytes(from, to), hasGaps);
  }

  private Buffer buffer(byte[] data) {
    return Buffer.with(data, hasGaps);
  }

  private Buffer[] buffers(IntFunction<Buffer> of) {
    Buffer[] buffers = new Buffer[ranks];
    Arrays.setAll(buffers, of);
    return buffers;
  }

  private static Blocks blocks(Buffer[] buffers) {
    Layout[] layouts = new Layout[buffers.length];
    Arrays.setAll(layouts, i -> buffers[i].layout());
    return Blocks.of(layouts);
  }

  private void barrier(Collectives all) throws InterruptedException {
    arrived.incrementAndGet();
    all.barrier();
    assertThat(arrived).as("%s", this).hasValue(ranks);
  }

  private void bcast(Collectives all, int self) throws InterruptedException {
    Buffer buffer = self == root ? buffer(data(root, 0)) : room(root, 0);
    all.bcast(buffer.layout(), root);
    is(buffer, data(root, 0), self);
  }

  private void gather(Collectives all, int self) throws InterruptedException {
    boolean isHere = self == root && isInPlace;
    Buffer mine = buffer(data(self, 0));
    Buffer[] into = buffers(from -> isHere && from == self ? buffer(data(self, 0)) : room(from, 0));
    Blocks blocks = self == root ? blocks(into) : null;
    if (operation == Operation.GATHER) {
      all.gather(isHere ? null : mine.layout(), blocks, root);
    } else {
      all.gatherv(isHere ? null : mine.layout(), blocks, root);
    }
    for (int from = 0; self == root && from < ranks; from++) {
      is(into[from], data(from, 0), self);
    }
    is(mine, data(self, 0), self);
  }

  private void scatter(Collectives all, int self) throws InterruptedException {
    boolean staysHere = self == root && isInPlace;
    Buffer[] from = buffers(to -> buffer(data(root, to)));
    Buffer mine = room(root, self);
    Blocks blocks = self == root ? blocks(from) : null;
    if (operation == Operation.SCATTER) {
      all.scatter(blocks, staysHere ? null : mine.layout(), root);
    } else {
      all.scatterv(blocks, staysHere ? null : mine.layout(), root);
    }
    is(staysHere ? from[self] : mine, data(root, self), self);
    for (int to = 0; to < ranks; to++) {
      is(from[to], data(root, to), self);
    }
  }

  private void allgather(Collectives all, int self) throws InterruptedException {
    Buffer mine = buffer(data(self, 0));
    Buffer[] into =
        buffers(from -> isInPlace && from == self ? buffer(data(self, 0)) : room(from, 0));
    all.allgather(isInPlace ? null : mine.layout(), blocks(into));
    for (int from = 0; from < ranks; from++) {
      is(into[from], data(from, 0), self);
    }
  }

  private void alltoall(Collectives all, int self) throws InterruptedException {
    Buffer[] sent = buffers(to -> buffer(data(self, to)));
    Buffer[] into = buffers(from -> isInPlace ? buffer(data(self, from)) : room(from, self));
    Blocks from = isInPlace ? null : blocks(sent);
    if (operation == Operation.ALLTOALL) {
      all.alltoall(from, blocks(into));
    } else {
      all.alltoallv(from, blocks(into));
    }
    for (int source = 0; source < ranks; source++) {
      is(into[source], data(source, self), self);
    }
  }

  // ---------------------------------------------------------------- reductions

  private AffineMaps reduction() {
    return new AffineMaps(isCommutative);
  }

  /** Members {@code 0} to {@code end - 1}, one after the other. */
  private byte[] reduced(int end) {
    MemorySegment sum = reduction().allocate((long) elements * ELEMENT);
    sum.copyFrom(MemorySegment.ofArray(data(end - 1, 0)));
    for (int member = end - 2; member >= 0 && elements > 0; member--) {
      MemorySegment next = reduction().allocate((long) elements * ELEMENT);
      next.copyFrom(MemorySegment.ofArray(data(member, 0)));
      reduction().apply(next, sum, elements);
    }
    return sum.toArray(ValueLayout.JAVA_BYTE);
  }

  private void reduce(Collectives all, int self) throws InterruptedException {
    boolean isHere = self == root && isInPlace;
    Buffer from = buffer(data(self, 0));
    Buffer into = isHere ? from : room(0, 0);
    all.reduce(
        isHere ? null : from.layout(), self == root ? into.layout() : null, reduction(), root);
    if (self == root) {
      is(into, reduced(ranks), self);
    }
    if (!isHere) {
      is(from, data(self, 0), self);
    }
  }

  private void allreduce(Collectives all, int self) throws InterruptedException {
    Buffer from = buffer(data(self, 0));
    Buffer into = isInPlace ? from : room(0, 0);
    all.allreduce(isInPlace ? null : from.layout(), into.layout(), reduction());
    is(into, reduced(ranks), self);
    if (!isInPlace) {
      is(from, data(self, 0), self);
    }
  }

  private void reduceScatter(Collectives all, int self) throws InterruptedException {
    int[] counts = new int[ranks];
    for (int element = 0; element < elements; element++) {
      counts[(int) ((seed >>> element % 60 & 7) % ranks)]++;
    }
    int begin = Arrays.stream(counts, 0, self).sum() * ELEMENT;
    Buffer from = buffer(data(self, 0));
    Buffer into = new Buffer(counts[self] * ELEMENT, hasGaps);
    all.reduceScatter(from.layout(), counts, into.layout(), reduction());
    byte[] sum = reduced(ranks);
    is(into, Arrays.copyOfRange(sum, begin, begin + counts[self] * ELEMENT), self);
  }

  private void scan(Collectives all, int self) throws InterruptedException {
    Buffer mine = buffer(data(self, 0));
    Buffer into = isInPlace ? mine : room(0, 0);
    byte[] untouched = into.message();
    @Nullable Layout from = isInPlace ? null : mine.layout();
    if (operation == Operation.SCAN) {
      all.scan(from, into.layout(), reduction());
      is(into, reduced(self + 1), self);
    } else {
      all.exscan(from, into.layout(), reduction());
      is(into, self == 0 ? untouched : reduced(self), self);
    }
  }
}
