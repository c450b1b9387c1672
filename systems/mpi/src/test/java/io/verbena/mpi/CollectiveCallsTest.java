// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbena.mpi.collective.Blocks;
import io.verbena.mpi.device.RankLostException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** The collective calls of communicators, which are those of the layer below, one by one. */
class CollectiveCallsTest {

  private static final int SIZE = 3;

  private static Blocks blocks(int[] array) {
    return Blocks.equal(MemorySegment.ofArray(array), SIZE);
  }

  @Test
  void eachDoesWhatItsNameSays() throws Exception {
    Worlds.run(
        SIZE,
        world -> {
          // Another order than the job's, so that ranks are not processes.
          Intracommunicator all = world.communicator().split(0, -world.rank()).orElseThrow();
          int self = all.rank();
          assertThat(self).isEqualTo(2 - world.rank());
          int[] mine = {self};
          int[] three = new int[SIZE];
          int[] one = {self == 1 ? 7 : 0};

          all.barrier();
          all.bcast(Data.of(one), 1);
          assertThat(one).containsExactly(7);
          all.gather(Data.of(mine), self == 2 ? blocks(three) : null, 2);
          assertThat(three).containsExactly(self == 2 ? new int[] {0, 1, 2} : new int[SIZE]);
          all.gatherv(Data.of(mine), self == 0 ? blocks(three) : null, 0);
          assertThat(three[1]).isEqualTo(self == 1 ? 0 : 1);
          all.scatter(self == 0 ? blocks(new int[] {5, 6, 7}) : null, Data.of(one), 0);
          assertThat(one).containsExactly(5 + self);
          all.scatterv(self == 0 ? blocks(new int[] {8, 9, 10}) : null, Data.of(one), 0);
          assertThat(one).containsExactly(8 + self);
          all.allgather(Data.of(mine), blocks(three));
          assertThat(three).containsExactly(0, 1, 2);
          int[] sent = {10 * self, 10 * self + 1, 10 * self + 2};
          all.alltoall(blocks(sent), blocks(three));
          assertThat(three).containsExactly(self, 10 + self, 20 + self);
          all.alltoallv(blocks(three.clone()), blocks(three)); // and back
          assertThat(three).containsExactly(sent);
        });
  }

  @Test
  void numbersAreReduced() throws Exception {
    Worlds.run(
        SIZE,
        world -> {
          Intracommunicator all = world.communicator();
          int self = all.rank();
          int[] ints = {self, -self};
          int[] sums = new int[2];
          all.reduce(
              Data.of(ints), self == 1 ? Data.of(sums) : null, Reductions.ints(Integer::sum), 1);
          assertThat(sums).containsExactly(self == 1 ? new int[] {3, -3} : new int[2]);
          long[] longs = {1L << 40 + self};
          all.allreduce(null, Data.of(longs), Reductions.longs((a, b) -> a | b));
          assertThat(longs).containsExactly(7L << 40);
          double[] doubles = {self + 0.5};
          double[] most = new double[1];
          all.allreduce(Data.of(doubles), Data.of(most), Reductions.doubles(Math::max));
          assertThat(most).containsExactly(2.5);
          int[] part = new int[1];
          int[] parts = {self, 1, 2};
          all.reduceScatter(
              Data.of(parts), new int[] {1, 1, 1}, Data.of(part), Reductions.ints(Integer::sum));
          assertThat(part).containsExactly(3 * self + (self == 0 ? 3 : 0));
          int[] upTo = new int[2];
          all.scan(Data.of(ints), Data.of(upTo), Reductions.ints(Integer::sum));
          assertThat(upTo).containsExactly(self * (self + 1) / 2, -self * (self + 1) / 2);
          int[] before = {-9, -9};
          all.exscan(Data.of(ints), Data.of(before), Reductions.ints(Integer::sum));
          int expected = self * (self - 1) / 2;
          assertThat(before).containsExactly(self == 0 ? -9 : expected, self == 0 ? -9 : -expected);
        });
  }

  @Test
  void theyFailAsOtherCallsDo() throws Exception {
    try (Worlds worlds = new Worlds(2)) {
      worlds.run(
          world -> {
            Intracommunicator freed = world.communicator().dup();
            freed.free();
            assertThatIllegalStateException().isThrownBy(freed::barrier);
          });
      worlds.all.get(0).device().lose(1, "as the job says");
      assertThatExceptionOfType(RankLostException.class)
          .isThrownBy(() -> worlds.all.get(0).communicator().barrier())
          .withMessageStartingWith("rank 1 on host1 is lost");
      assertThatExceptionOfType(RankLostException.class)
          .isThrownBy(() -> worlds.all.get(0).communicator().dup());
    }
  }
}
