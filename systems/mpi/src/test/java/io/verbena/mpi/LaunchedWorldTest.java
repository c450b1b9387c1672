// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.mpi.device.Launched;
import io.verbena.mpi.device.RankLostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that are processes, and the ways in which they end. */
@Tag("timing")
class LaunchedWorldTest {

  private static final int LAST = 2;

  @TempDir private Path folder;

  /** One rank; what it does is said by its argument. */
  static final class Rank {
    private Rank() {}

    public static void main(String[] arguments) throws Exception {
      try (World world = World.open()) {
        Intracommunicator all = world.communicator();
        int[] got = new int[1];
        int size = all.size();
        all.sendrecv(
            Data.of(all.rank()),
            (all.rank() + 1) % size,
            0,
            Data.of(got),
            (all.rank() + size - 1) % size,
            0);
        System.out.println("rank %d of %d has heard of %d".formatted(all.rank(), size, got[0]));
        if (all.rank() == size - 1) {
          last(world, arguments[0]);
        } else {
          others(world, arguments[0]);
        }
        System.out.println("rank %d is done".formatted(all.rank()));
      }
    }

    private static void last(World world, String what) throws Exception {
      switch (what) {
        case "kills" -> signal("KILL");
        case "throws" -> throw new IllegalStateException("on purpose");
        case "aborts" -> world.abort(42);
        case "exits" -> System.exit(0);
        default -> {}
      }
      if (what.equals("waits")) {
        for (int other = 0; other < world.size() - 1; other++) {
          world.communicator().recv(Data.empty(), other, 8);
          world.communicator().send(Data.empty(), other, 7);
        }
      }
    }

    private static void others(World world, String what) throws Exception {
      Intracommunicator all = world.communicator();
      if (what.equals("ends")) {
        return;
      }
      if (what.equals("waits")) {
        Thread.ofPlatform().daemon().start(() -> askUntilNamed(world));
      }
      if (System.getenv("RETURN") != null) {
        all.setErrors(ErrorMode.ERRORS_RETURN);
      }
      try {
        all.recv(Data.empty(), LAST, 7);
      } catch (RankLostException e) {
        System.out.println("rank %d hears: %s".formatted(all.rank(), e.getMessage()));
        int[] got = new int[1];
        all.sendrecv(Data.of(all.rank()), 1 - all.rank(), 1, Data.of(got), 1 - all.rank(), 1);
        System.out.println("rank %d goes on with %d".formatted(all.rank(), got[0]));
      }
    }

    /** A thread dump, when the wait is known; then the last rank may go on. */
    private static void askUntilNamed(World world) {
      try {
        while (Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().contains("rank 2, tag 7"))) {
          Thread.sleep(20);
        }
        signal("QUIT");
        Thread.sleep(1000); // the dump is written by the JVM, at a time of its own
        world.communicator().send(Data.empty(), LAST, 8);
      } catch (Exception e) {
        e.printStackTrace();
        Runtime.getRuntime().halt(3);
      }
    }

    private static void signal(String name) throws Exception {
      long self = ProcessHandle.current().pid();
      int status = new ProcessBuilder("kill", "-" + name, Long.toString(self)).start().waitFor();
      if (name.equals("KILL")) {
        new CountDownLatch(1).await();
      }
      assertThat(status).isZero();
    }
  }

  private Launched run(Map<String, String> variables, String what, String... options)
      throws Exception {
    List<String> all = new ArrayList<>(List.of("-n", Integer.toString(LAST + 1)));
    all.addAll(List.of(options));
    return Launched.run(folder, variables, all, Rank.class, what);
  }

  private Launched run(String what, String... options) throws Exception {
    return run(Map.of(), what, options);
  }

  private static void isStatus(Launched run, int status) {
    assertThat(run.status()).as("%s", String.join("\n", run.lines())).isEqualTo(status);
  }

  @Test
  void ranksThatEndWellEndTheJobWell() throws Exception {
    Launched run = run("ends");
    isStatus(run, 0);
    for (int rank = 0; rank <= LAST; rank++) {
      assertThat(run.lines())
          .contains("rank %d of 3 has heard of %d".formatted(rank, (rank + LAST) % 3))
          .contains("rank %d is done".formatted(rank));
    }
  }

  @Test
  void aProgramThatNobodyHasStartedIsOneRank() throws Exception {
    Launched run = Launched.alone(folder, Rank.class, "ends");
    isStatus(run, 0);
    assertThat(run.lines()).containsExactly("rank 0 of 1 has heard of 0", "rank 0 is done");
  }

  @Test
  void theDeathOfARankEndsTheJob() throws Exception {
    Launched run = run("kills");
    isStatus(run, 128 + 9);
    assertThat(run.lines()).doesNotContain("rank 0 is done", "rank 1 is done");
  }

  @Test
  void whoNeedsADeadRankEndsAndNamesIt() throws Exception {
    Launched run = run("kills", "--go-on");
    isStatus(run, 128 + 9);
    for (int rank = 0; rank < LAST; rank++) {
      String begin =
          "verbena: rank %d ends the job, communicator of all: rank 2 on 127.0.0.1 is lost: "
              .formatted(rank);
      assertThat(run.lines()).anyMatch(line -> line.startsWith(begin) && line.contains("137"));
      assertThat(run.lines()).doesNotContain("rank %d is done".formatted(rank));
    }
  }

  @Test
  void whereErrorsReturnTheOthersGoOn() throws Exception {
    Launched run = run(Map.of("RETURN", "1"), "kills", "--go-on");
    isStatus(run, 128 + 9);
    for (int rank = 0; rank < LAST; rank++) {
      String begin = "rank %d hears: rank 2 on 127.0.0.1 is lost: ".formatted(rank);
      assertThat(run.lines())
          .anyMatch(line -> line.startsWith(begin) && line.contains("137"))
          .contains("rank %d goes on with %d".formatted(rank, 1 - rank))
          .contains("rank %d is done".formatted(rank));
    }
  }

  @Test
  void aRankThatThrowsEndsTheJob() throws Exception {
    Launched run = run("throws");
    isStatus(run, 1);
    assertThat(run.lines()).anyMatch(line -> line.contains("IllegalStateException: on purpose"));
    assertThat(run.lines()).doesNotContain("rank 0 is done", "rank 1 is done");
  }

  @Test
  void aRankThatAbortsEndsTheJobWithItsStatus() throws Exception {
    Launched run = run("aborts");
    isStatus(run, 42);
    assertThat(run.lines()).contains("verbena: rank 2 aborts the job with 42");
    assertThat(run.lines()).noneMatch(line -> line.endsWith("is done"));
  }

  @Test
  void aRankThatExitsInTheMiddleIsMissed() throws Exception {
    // The others do not have to find out by themselves.
    Launched run = run(Map.of("VERBENA_LINK_TIMEOUT", "1h"), "exits");
    isStatus(run, 1);
    assertThat(run.lines()).anyMatch(line -> line.contains("rank 2 on 127.0.0.1 is lost: "));
  }

  @Test
  void aThreadDumpAndAReportTellWhoWaitsForWhom() throws Exception {
    // As long as the shortest wait that is known: the look that names it reports it.
    Launched run = run(Map.of("VERBENA_MPI_WAIT_TIMEOUT", "1ms"), "waits");
    isStatus(run, 0);
    for (int rank = 0; rank < LAST; rank++) {
      String wait =
          "MPI rank %d of 3 waits: main in receive, rank 2, tag 7, context 0, since "
              .formatted(rank);
      assertThat(run.lines())
          .as("the dump")
          .anyMatch(line -> line.startsWith("\"" + wait))
          .as("the report")
          .anyMatch(line -> line.startsWith(wait));
    }
  }
}
