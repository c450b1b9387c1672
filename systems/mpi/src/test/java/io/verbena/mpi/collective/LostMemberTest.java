// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.launch.Job;
import io.verbena.mpi.device.Context;
import io.verbena.mpi.device.Device;
import io.verbena.mpi.device.DeviceOptions;
import io.verbena.mpi.device.Launched;
import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.RankLostException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of calls when a member is lost. */
@Tag("timing")
class LostMemberTest {

  private static final int MEMBERS = 5;
  private static final int LOST = 4;
  private static final int ELEMENTS = 20_000;

  @TempDir private Path folder;

  /** Every way in which all members may come to wait for one. */
  static Stream<String> rules() {
    return Stream.of(Operation.values())
        .filter(
            operation -> !operation.toString().matches("bcast|scatterv?|gatherv?|reduce|e?x?scan"))
        .flatMap(each -> each.algorithms().stream().map(algorithm -> each + ": " + algorithm));
  }

  /** A member never comes. Only one of the others hears by itself that it is lost. */
  @ParameterizedTest
  @MethodSource("rules")
  void whoDoesNotWaitForTheLostMemberHearsOfIt(String rule) throws Exception {
    Operation operation = Operation.of(rule.substring(0, rule.indexOf(':')));
    AtomicInteger atIt = new AtomicInteger();
    try (Members members = new Members(MEMBERS)) {
      members.run(
          Choice.DEFAULTS.with(rule),
          (all, self) -> {
            if (self == LOST) {
              return;
            }
            Plan plan = new Plan(operation, MEMBERS, 0, ELEMENTS, true, false, false, 1, atIt);
            if (self == 1) {
              members.ranks.of(1).lose(LOST, "on purpose");
            }
            isLost(() -> plan.run(all, self));
            isLost(all::barrier);
          });
    }
  }

  /** With so many members that who has missed one does not tell all others itself. */
  @Test
  void aWordOfALossIsPassedOn() throws Exception {
    int size = 9;
    try (Members members = new Members(size)) {
      members.run(
          Choice.DEFAULTS.with("barrier: dissemination"),
          (all, self) -> {
            if (self == 1) {
              members.ranks.of(1).lose(LOST, "on purpose");
            }
            if (self != LOST) {
              isLost(all::barrier);
            }
          });
    }
  }

  private interface Calls {
    void run() throws Exception;
  }

  private static void isLost(Calls calls) {
    assertThatExceptionOfType(RankLostException.class)
        .isThrownBy(calls::run)
        .withMessageContaining("rank 4 on host4 is lost: on purpose")
        .matches(e -> e.rank() == LOST);
  }

  /** Which is no failure to the device, but one to who needs the member. */
  @Test
  void aMemberThatHasLeftTheJobEndsTheCalls() throws Exception {
    // A member that is still in the barrier would hear of the loss there.
    CountDownLatch together = new CountDownLatch(MEMBERS);
    try (Members members = new Members(MEMBERS)) {
      members.run(
          Choice.DEFAULTS.with("allgather: ring"),
          (all, self) -> {
            all.barrier();
            together.countDown();
            together.await();
            if (self == LOST) {
              members.ranks.leave(self);
              return;
            }
            byte[] memory = new byte[MEMBERS];
            assertThatExceptionOfType(RankLostException.class)
                .isThrownBy(
                    () -> all.allgather(null, Blocks.equal(MemorySegment.ofArray(memory), MEMBERS)))
                .matches(e -> e.rank() == LOST);
          });
    }
  }

  @Test
  void nobodyWritesToTheMemoryOfACallThatHasFailed() throws Exception {
    try (Members members = new Members(3)) {
      CountDownLatch failed = new CountDownLatch(1);
      byte[] memory = new byte[3];
      members.run(
          Choice.DEFAULTS,
          (all, self) -> {
            Device device = members.ranks.of(self);
            Context other = Context.ofAll(1000, 3);
            Layout mine = Layout.of(MemorySegment.ofArray(new byte[] {(byte) (10 + self)}));
            if (self == 0) {
              device.lose(2, "on purpose");
              assertThatExceptionOfType(RankLostException.class)
                  .isThrownBy(
                      () -> all.gather(mine, Blocks.equal(MemorySegment.ofArray(memory), 3), 0));
              failed.countDown();
              device.recv(other, 1, 0, Layout.empty());
            } else if (self == 1) {
              failed.await();
              all.gather(mine, null, 0);
              device.send(other, 0, 0, Layout.empty());
            }
          });
      assertThat(memory).containsExactly(10, 0, 0);
    }
  }

  // ---------------------------------------------------------------- processes

  /** One of four ranks. The last one kills itself in the middle of a call. */
  static final class Rank {
    private Rank() {}

    public static void main(String[] arguments) throws Exception {
      NodeConfig.Builder config = NodeConfig.builder().types(Device.types());
      config.set("connect.timeout", "10m").set("link.timeout", "50m");
      try (Job job = Job.open();
          Node node = job.build(config);
          Device device = Device.attach(node, job, DeviceOptions.DEFAULTS)) {
        job.start(node);
        Context context = Context.ofAll(0, job.size());
        Choice choice = Choice.DEFAULTS.with("allreduce: ring");
        Collectives all = new Collectives(device, context, job.rank(), choice);
        try {
          for (int call = 0; ; call++) {
            if (call == 100 && job.rank() == job.size() - 1) {
              new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid()))
                  .start();
            }
            Layout data = Layout.of(MemorySegment.ofArray(new double[ELEMENTS]));
            all.allreduce(null, data, new DoubleSum());
          }
        } catch (RankLostException e) {
          System.out.println("rank " + job.rank() + " hears: " + e.getMessage());
        }
      }
    }
  }

  @Test
  void allHearOfARankThatWasKilledInACall() throws Exception {
    Launched run = Launched.run(folder, Map.of(), List.of("--go-on", "-n", "4"), Rank.class);
    assertThat(run.status()).as("%s", run.lines()).isEqualTo(128 + 9);
    for (int rank = 0; rank < 3; rank++) {
      String begin = "rank %d hears: rank 3 on 127.0.0.1 is lost: ".formatted(rank);
      assertThat(run.lines()).anyMatch(line -> line.startsWith(begin));
    }
  }
}
