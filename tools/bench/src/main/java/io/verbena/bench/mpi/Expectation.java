// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import java.util.Arrays;

/**
 * What each rank gives to a call of all, and what it is to get. An element that rank r gives at
 * place p in call c is {@code (r + 1) * (p % 1000 + c % 1000 + 1)}, so sums are exact in whatever
 * order they are made.
 *
 * <p>The first and the last element of each block are made and looked at in every call, all of them
 * in the first and in the last call of a round.
 */
final class Expectation {

  private static final int CYCLE = 1000;

  private final Operation operation;
  private final int self;
  private final int ranks;
  private final int blockElements;
  private final double[] from;
  private final double[] into;

  Expectation(Operation operation, int size, int self, int ranks, Content from, Content into) {
    this.operation = operation;
    this.self = self;
    this.ranks = ranks;
    this.blockElements = size / Double.BYTES;
    this.from = from.doubles();
    this.into = into.doubles();
  }

  /** The root of a call: another one in each, so that nobody runs ahead. */
  int root(int call) {
    return call % ranks;
  }

  /** Makes everything for a call that is wholly looked at. */
  void make(int call) {
    Arrays.fill(into, 0);
    if (gives(call)) {
      for (int place = 0; place < from.length; place++) {
        from[place] = given(self, place, call);
      }
    }
  }

  /** Makes what is looked at in each call. */
  void stamp(int call) {
    if (gives(call)) {
      for (int place = 0; place < from.length; place = next(place)) {
        from[place] = given(self, place, call);
      }
    }
  }

  /** Looks at all that has come. */
  void checkAll(int call) {
    if (gets(call)) {
      for (int place = 0; place < into.length; place++) {
        check(place, call);
      }
    }
  }

  /** Looks at what was stamped. */
  void checkStamps(int call) {
    if (gets(call)) {
      for (int place = 0; place < into.length; place = next(place)) {
        check(place, call);
      }
    }
  }

  /** From the first element of a block to the last, and on to the next block's first. */
  private int next(int place) {
    boolean isFirst = place % blockElements == 0 && blockElements > 1;
    return isFirst ? place + blockElements - 1 : place + 1;
  }

  private boolean gives(int call) {
    boolean isOfRoot = operation == Operation.BCAST || operation == Operation.SCATTER;
    return !isOfRoot || self == root(call);
  }

  private boolean gets(int call) {
    boolean isForRoot = operation == Operation.GATHER || operation == Operation.REDUCE;
    return !isForRoot || self == root(call);
  }

  private void check(int place, int call) {
    double wanted = wanted(place, call);
    if (into[place] != wanted) {
      throw Content.wrong(place, into[place], wanted);
    }
  }

  private double wanted(int place, int call) {
    int block = place / blockElements;
    int within = place % blockElements;
    int own = self * blockElements + place;
    return switch (operation) {
      case BCAST -> given(root(call), place, call);
      case SCATTER -> given(root(call), own, call);
      case GATHER, ALLGATHER -> given(block, within, call);
      case ALLTOALL -> given(block, self * blockElements + within, call);
      case REDUCE, ALLREDUCE -> sum(ranks, place, call);
      case REDUCE_SCATTER -> sum(ranks, own, call);
      case SCAN -> sum(self + 1, place, call);
      case PING_PONG, BARRIER ->
          throw new IllegalArgumentException(operation.text() + " gives nothing");
    };
  }

  private static double given(int rank, int place, int call) {
    return (rank + 1.0) * (place % CYCLE + call % CYCLE + 1);
  }

  /** Of the first so many ranks. */
  private static double sum(int count, int place, int call) {
    return count * (count + 1) / 2 * given(0, place, call);
  }
}
