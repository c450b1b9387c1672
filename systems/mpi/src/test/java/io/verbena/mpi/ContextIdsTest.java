// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbena.mpi.device.DeviceOptions;
import io.verbena.mpi.device.Ranks;
import io.verbena.testkit.Await;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which ids communicators get, and when they get them again. */
class ContextIdsTest {

  private final Ranks ranks = new Ranks(2, "shm", DeviceOptions.DEFAULTS);
  private final ContextIds first = new ContextIds(ranks.of(0), 2);
  private final ContextIds second = new ContextIds(ranks.of(1), 2);

  @AfterEach
  void close() {
    ranks.close();
  }

  private void both(int id) {
    first.begin(id, 2);
    second.begin(id, 2);
  }

  @Test
  void noTwoRanksGiveOutTheSame() throws Exception {
    Set<Integer> ids = new HashSet<>();
    for (int i = 0; i < 2; i++) {
      for (int id : new int[] {first.take(), second.take()}) {
        assertThat(ids.add(id) && ids.add(id + 1)).isTrue();
      }
    }
    assertThat(ids).noneMatch(id -> id < 8);
  }

  @Test
  void anIdIsGivenAgainWhenAllHaveLeft() throws Exception {
    int one = first.take();
    int other = first.take();
    both(one);
    both(other);
    assertThatIllegalStateException()
        .isThrownBy(first::take)
        .withMessageContaining("rank 0 has made 2 communicators");
    first.leave(other);
    assertThatIllegalStateException().isThrownBy(first::take);
    second.leave(other);
    assertThat(taken()).isEqualTo(other);
    second.leave(one);
    first.leave(one);
    assertThat(taken()).isEqualTo(one);
  }

  /** What another rank has said is on its way for a moment. */
  private int taken() {
    int[] id = new int[1];
    Await.until(
        "an id is free",
        () -> {
          try {
            id[0] = first.take();
            return true;
          } catch (IllegalStateException | InterruptedException e) {
            return false;
          }
        });
    return id[0];
  }

  @Test
  void whoLeavesBeforeTheGiverHasBegunCountsAllTheSame() throws Exception {
    int id = first.take();
    second.begin(id, 2);
    second.leave(id);
    while (ranks.of(0).unexpected() == 0) { // it is there, and looked at by the next call
      Thread.onSpinWait();
    }
    int other = first.take();
    assertThat(other).isNotEqualTo(id);
    first.begin(id, 2);
    assertThatIllegalStateException().isThrownBy(first::take);
    first.leave(id);
    assertThat(taken()).isEqualTo(id);
  }

  @Test
  void newIdsAreGivenBeforeThoseThatWereInUse() throws Exception {
    int id = first.take();
    first.begin(id, 1);
    first.leave(id);
    assertThat(first.take()).isNotEqualTo(id);
    assertThat(first.take()).isEqualTo(id);
  }

  @Test
  void whatNobodyWasToldOfIsGivenNext() throws Exception {
    int id = first.take();
    first.putBack(id);
    assertThat(first.take()).isEqualTo(id);
  }
}
