// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.Node;
import io.verbena.bench.process.AtExit;
import io.verbena.bench.process.JavaCommand;
import io.verbena.bench.process.RankLauncher;
import io.verbena.launch.Job;
import io.verbena.launch.RankEnd;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The demo as a job: rank 0 is the coordinator, the others are the workers, which end when it has
 * ended. Its arguments: the transport, the device, how many nanoseconds each figure is measured,
 * and the files to count.
 */
public final class DemoRank {

  private static final Duration LOOK = Duration.ofMinutes(1);

  private DemoRank() {}

  /**
   * Runs the demo on the hosts of a file; what it says goes to our standard output.
   *
   * @return its exit status
   */
  public static int runOn(
      Path hosts, String transport, String device, Duration each, List<Path> files)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(RankLauncher.path().toString()));
    command.addAll(List.of("-n", Integer.toString(DemoCluster.WORKERS + 1)));
    command.addAll(List.of("--hosts", hosts.toString(), "--map", "by-host", "--"));
    command.addAll(JavaCommand.ofThisJvm(DemoRank.class, List.of()));
    command.addAll(List.of(transport, device, Long.toString(each.toNanos())));
    files.forEach(file -> command.add(file.toAbsolutePath().toString()));
    Process job = new ProcessBuilder(command).inheritIO().start();
    AtExit.add(job);
    try {
      return job.waitFor();
    } finally {
      job.destroyForcibly();
      AtExit.remove(job);
    }
  }

  /** Runs one rank. */
  public static void main(String[] arguments) throws Exception {
    boolean isRight = true;
    try (Job job = Job.open();
        Node node = job.build(DemoCluster.config(arguments[0], arguments[1]))) {
      if (job.rank() == DemoCluster.COORDINATOR) {
        job.start(node);
        Duration each = Duration.ofNanos(Long.parseLong(arguments[2]));
        DemoReport report = Demo.run(texts(arguments), node, () -> {}, each);
        System.out.print(report.format());
        isRight = report.isRight();
      } else {
        WorkerMain.install(node, job.hostAddress());
        job.start(node);
        awaitCoordinator(job);
      }
    }
    System.exit(isRight ? 0 : 1);
  }

  private static List<String> texts(String[] arguments) throws IOException {
    List<String> names = Arrays.asList(arguments).subList(3, arguments.length);
    return TextFiles.read(names.stream().map(Path::of).toList());
  }

  private static void awaitCoordinator(Job job) {
    Optional<RankEnd> end;
    do {
      end = job.nextEnd(LOOK);
    } while (end.isEmpty() || end.get().rank() != DemoCluster.COORDINATOR);
  }
}
