// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.mpi.device.Launched;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of the API as ranks of a job, and without one. */
@Tag("timing")
class CallsTest {

  @TempDir private Path folder;

  private Launched run(int ranks, Class<?> main, String... arguments) throws Exception {
    List<String> options = List.of("-n", Integer.toString(ranks));
    return Launched.run(folder, Map.of(), options, main, arguments);
  }

  @Test
  void everyCallAtFourRanks() throws Exception {
    Launched run = run(4, Calls.class);
    assertThat(run.status()).as("%s", String.join("\n", run.lines())).isZero();
    for (int rank = 0; rank < 4; rank++) {
      assertThat(run.lines()).contains("rank %d of 4: all calls are right".formatted(rank));
    }
  }

  @Test
  void everyCallAtOneOfThreeWhoseNeighbourIsItself() throws Exception {
    try (LoadedRanks ranks = new LoadedRanks(3)) {
      ranks.run(Calls.class, "all");
      ranks.run(Calls.class, "end");
    }
  }

  /** Those that are chosen for more ranks or longer messages: gatherv is no gather there. */
  @Test
  void everyCallByOtherAlgorithms() throws Exception {
    System.setProperty(
        "verbena.mpi.collectives",
        "bcast: chain; gather: binomial; scatter: binomial; allgather: ring; alltoall: pairwise;"
            + " alltoallv: pairwise; reduce: binomial; allreduce: ring; reduce-scatter: ring;"
            + " scan: recursive-doubling; barrier: dissemination");
    try (LoadedRanks ranks = new LoadedRanks(5)) {
      ranks.run(Calls.class, "all");
    } finally {
      System.clearProperty("verbena.mpi.collectives");
    }
  }

  @Test
  void everyCallWithoutALauncher() throws Exception {
    Launched run = Launched.alone(folder, Calls.class);
    assertThat(run.status()).as("%s", String.join("\n", run.lines())).isZero();
    assertThat(run.lines()).containsExactly("rank 0 of 1: all calls are right");
  }

  /** A program that ends otherwise. */
  static final class Ending {
    private Ending() {}

    public static void main(String[] arguments) {
      String[] rest = MPI.initThread(arguments.length, MPI.THREAD_SERIALIZED, arguments);
      int peer = 1 - MPI.COMM_WORLD.Rank();
      if (rest[0].equals("aborts") && peer == 1) {
        MPI.COMM_WORLD.Abort(42);
      }
      if (rest[0].equals("fails")) {
        MPI.COMM_WORLD.Errorhandler_set(MPI.ERRORS_ARE_FATAL);
        MPI.COMM_WORLD.Send(new int[2], 0, 2, MPI.INT, peer, 0);
        MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, peer, 0);
      }
      MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, peer, 1);
      System.out.println("goes on");
    }
  }

  @Test
  void abortEndsTheJobWithItsStatus() throws Exception {
    Launched run = run(2, Ending.class, "aborts");
    assertThat(run.status()).as("%s", run.lines()).isEqualTo(42);
    assertThat(run.lines()).doesNotContain("goes on");
  }

  @Test
  void whereErrorsAreFatalAFailedCallEndsTheJob() throws Exception {
    Launched run = run(2, Ending.class, "fails");
    assertThat(run.status()).as("%s", run.lines()).isEqualTo(1);
    assertThat(run.lines())
        .anyMatch(line -> line.contains("ends the job") && line.contains("room for 4"))
        .doesNotContain("goes on");
  }
}
