// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What each rank is to get, beside what the operations mean, written out. */
class ExpectationTest {

  private static final int RANKS = 3;
  private static final int BLOCK = 4;
  private static final int SIZE = BLOCK * Double.BYTES;

  private final List<Content> from = new ArrayList<>();
  private final List<Content> into = new ArrayList<>();
  private final List<Expectation> expectations = new ArrayList<>();

  private void open(Operation operation) {
    for (int rank = 0; rank < RANKS; rank++) {
      Content give = Content.ofBytes(operation.bytesFrom(SIZE, RANKS));
      Content get =
          operation == Operation.BCAST ? give : Content.ofBytes(operation.bytesInto(SIZE, RANKS));
      from.add(give);
      into.add(get);
      expectations.add(new Expectation(operation, SIZE, rank, RANKS, give, get));
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"PING_PONG", "BARRIER"})
  void whatComesAsTheOperationMeansItIsRightAndNothingElseIs(Operation operation) {
    open(operation);
    for (int call = 0; call < RANKS; call++) {
      int number = call;
      expectations.forEach(one -> one.make(number));
      move(operation, call % RANKS);
      for (int rank = 0; rank < RANKS; rank++) {
        checkEachPlace(rank, call, isForRoot(operation) && rank != call % RANKS);
      }
    }
  }

  private void checkEachPlace(int rank, int call, boolean isIdle) {
    Expectation expectation = expectations.get(rank);
    double[] got = into.get(rank).doubles();
    expectation.checkAll(call);
    expectation.checkStamps(call);
    for (int place = 0; place < got.length && !isIdle; place++) {
      got[place]++;
      assertThatThrownBy(() -> expectation.checkAll(call))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("element " + place + " is ");
      if (place % BLOCK == 0 || place % BLOCK == BLOCK - 1) {
        assertThatThrownBy(() -> expectation.checkStamps(call))
            .hasMessageStartingWith("element " + place + " is ");
      } else {
        assertThatCode(() -> expectation.checkStamps(call)).doesNotThrowAnyException();
      }
      got[place]--;
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"PING_PONG", "BARRIER"})
  void whatIsLeftOfTheCallBeforeIsWrong(Operation operation) {
    open(operation);
    expectations.forEach(one -> one.make(0));
    move(operation, 0);
    expectations.forEach(one -> one.stamp(RANKS)); // of the same root
    Expectation other = expectations.get(operation == Operation.BCAST ? 1 : 0);
    assertThatThrownBy(() -> other.checkStamps(RANKS)).isInstanceOf(IllegalStateException.class);
    move(operation, 0);
    expectations.forEach(one -> one.checkStamps(RANKS));
  }

  private static boolean isForRoot(Operation operation) {
    return operation == Operation.GATHER || operation == Operation.REDUCE;
  }

  private void move(Operation operation, int root) {
    for (int rank = 0; rank < RANKS; rank++) {
      double[] get = into.get(rank).doubles();
      for (int place = 0; place < get.length; place++) {
        if (!isForRoot(operation) || rank == root) {
          get[place] = moved(operation, root, rank, place);
        }
      }
    }
  }

  private double moved(Operation operation, int root, int rank, int place) {
    int block = place / BLOCK;
    int within = place % BLOCK;
    return switch (operation) {
      case BCAST -> from(root, place);
      case GATHER, ALLGATHER -> from(block, within);
      case SCATTER -> from(root, rank * BLOCK + place);
      case ALLTOALL -> from(block, rank * BLOCK + within);
      case REDUCE, ALLREDUCE -> from(0, place) + from(1, place) + from(2, place);
      case REDUCE_SCATTER -> {
        int own = rank * BLOCK + place;
        yield from(0, own) + from(1, own) + from(2, own);
      }
      case SCAN ->
          from(0, place) + (rank > 0 ? from(1, place) : 0) + (rank > 1 ? from(2, place) : 0);
      case PING_PONG, BARRIER -> throw new IllegalArgumentException(operation.text());
    };
  }

  private double from(int rank, int place) {
    return from.get(rank).doubles()[place];
  }
}
