// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.verbena.mpi.device.Context;
import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.TruncatedException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Calls that make no sense are refused, by whom they can be. */
class CollectivesMisuseTest {

  private static final Layout EIGHT = memory(8);

  private static Layout memory(int bytes) {
    return Layout.of(MemorySegment.ofArray(new byte[bytes]));
  }

  private static Blocks blocks(int count) {
    return Blocks.equal(MemorySegment.ofArray(new byte[8 * count]), count);
  }

  @Test
  void argumentsThatCannotBeAreRefused() throws Exception {
    try (Members members = new Members(2)) {
      members.run(
          Choice.DEFAULTS,
          (all, self) -> {
            assertThatIllegalArgumentException()
                .isThrownBy(() -> all.bcast(EIGHT, 2))
                .withMessage("root 2 of 2 members");
            assertThatIllegalArgumentException().isThrownBy(() -> all.gather(EIGHT, null, -1));
            assertThatIllegalArgumentException()
                .isThrownBy(() -> all.allgather(EIGHT, blocks(3)))
                .withMessage("3 blocks for 2 members");
            assertThatIllegalArgumentException()
                .isThrownBy(() -> all.alltoall(blocks(1), blocks(2)));
            assertThatNullPointerException()
                .isThrownBy(() -> all.gather(EIGHT, null, self))
                .withMessage("the members' blocks is missing");
            assertThatNullPointerException().isThrownBy(() -> all.scatter(null, null, 1 - self));
            assertThatNullPointerException()
                .isThrownBy(() -> all.reduce(null, null, new DoubleSum(), 0));
            assertThatIllegalArgumentException()
                .isThrownBy(() -> all.allreduce(memory(12), memory(12), new DoubleSum()))
                .withMessage("a message of 12 bytes, of elements of 8");
            assertThatIllegalArgumentException()
                .isThrownBy(() -> reduceScatter(all, 1, 1, 1))
                .withMessage("3 counts for 2 members");
            assertThatIllegalArgumentException()
                .isThrownBy(() -> reduceScatter(all, 1, 1))
                .withMessage("parts of 16 bytes together, of a message of 8");
            all.barrier(); // nobody has sent anything
          });
    }
  }

  private static void reduceScatter(Collectives all, int... counts) throws InterruptedException {
    all.reduceScatter(EIGHT, counts, EIGHT, new DoubleSum());
  }

  @Test
  void blocksAreAsManyEqualPartsOrNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Blocks.equal(MemorySegment.ofArray(new byte[9]), 2))
        .withMessage("9 bytes are not 2 equal blocks");
  }

  @Test
  void aMemberOfTheContextIsThisRank() throws Exception {
    try (Members members = new Members(2)) {
      Context context = Context.ofAll(1, 2);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Collectives(members.ranks.of(1), context, 0, Choice.DEFAULTS))
          .withMessage("member 0 of the context is rank 0, and this is rank 1");
    }
  }

  @Test
  void twoThreadsAtOnceAreRefused() throws Exception {
    try (Members members = new Members(2)) {
      CountDownLatch seen = new CountDownLatch(1);
      members.run(
          Choice.DEFAULTS,
          (all, self) -> {
            if (self == 1) {
              seen.await();
              all.barrier();
              return;
            }
            Thread waits =
                Thread.ofPlatform()
                    .start(
                        () -> {
                          try {
                            all.barrier();
                          } catch (InterruptedException e) {
                            throw new AssertionError(e);
                          }
                        });
            while (members.ranks.of(0).waits().isEmpty()) {
              Thread.sleep(1);
            }
            assertThatIllegalStateException()
                .isThrownBy(() -> all.bcast(EIGHT, 0))
                .withMessage(
                    "bcast while another thread is in a collective call of the same group");
            seen.countDown();
            waits.join();
          });
    }
  }

  /** Which is an error of the program; the next calls are not disturbed by it. */
  @Test
  void moreDataThanThereIsRoomForEndsTheCallOfWhoGetsIt() throws Exception {
    try (Members members = new Members(2)) {
      members.run(
          Choice.DEFAULTS,
          (all, self) -> {
            if (self == 0) {
              all.bcast(memory(16), 0);
            } else {
              assertThatExceptionOfType(TruncatedException.class)
                  .isThrownBy(() -> all.bcast(memory(8), 0));
            }
            all.barrier();
          });
    }
  }

  /** What the failed call has left behind is no message of the next one. */
  @Test
  void aCallThatFailsAtOneMemberLeavesNothingToTheNext() throws Exception {
    try (Members members = new Members(3)) {
      CountDownLatch hasFailed = new CountDownLatch(1);
      members.run(
          Choice.DEFAULTS,
          (all, self) -> {
            MemorySegment own = MemorySegment.ofArray(new double[] {1 + self});
            MemorySegment sum = MemorySegment.ofArray(new double[1]);
            if (self == 0) {
              hasFailed.await(); // its message comes when nobody waits for it any more
            }
            if (self == 1) {
              assertThatIllegalStateException()
                  .isThrownBy(() -> all.allreduce(Layout.of(own), Layout.of(sum), new ThatFails()));
              hasFailed.countDown();
            } else {
              all.allreduce(Layout.of(own), Layout.of(sum), new DoubleSum());
              assertThat(sum.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0)).isEqualTo(6);
            }
            // That of the failed call may still be read.
            MemorySegment next = MemorySegment.ofArray(new double[] {10 * (1 + self)});
            all.allreduce(Layout.of(next), Layout.of(sum), new DoubleSum());
            assertThat(sum.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0)).isEqualTo(60);
          });
    }
  }

  /** As it meets data that it is not for. */
  private static final class ThatFails implements Reduction {
    @Override
    public int elementBytes() {
      return Double.BYTES;
    }

    @Override
    public boolean isCommutative() {
      return true;
    }

    @Override
    public MemorySegment allocate(long bytes) {
      return new DoubleSum().allocate(bytes);
    }

    @Override
    public void apply(MemorySegment in, MemorySegment inout, long elements) {
      throw new IllegalStateException("on purpose");
    }
  }
}
