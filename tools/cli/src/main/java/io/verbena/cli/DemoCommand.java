// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.cli.demo.Demo;
import io.verbena.cli.demo.DemoRank;
import io.verbena.cli.demo.DemoReport;
import io.verbena.cli.demo.TextFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verbena demo}. */
@Command(
    name = "demo",
    description =
        "Counts words in three worker processes, which send each other counts, and compares with a"
            + " count in one. Then measures two processes, and a socket of the JDK's beside them.",
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {

  private static final int MOST_SECONDS = 3600;

  @SuppressWarnings("NullAway.Init") // by picocli
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      defaultValue = "auto",
      description =
          "What they talk over: auto, which is shared memory on one host, or shm, rdma, tcp.")
  private String transport = "auto";

  @Option(
      names = "--device",
      paramLabel = "NAME",
      defaultValue = "auto",
      description =
          "With --transport rdma the verbs device: softnic, which needs no hardware, a name that"
              + " 'verbena devices' shows, or auto, a device of the kernel before softnic.")
  private String device = "auto";

  @Option(
      names = "--hosts",
      paramLabel = "FILE",
      description = {
        "All four processes run on the hosts of a file, in turn, as one job: one name a line, as 'verbena run' has it.",
        "The program, and what is counted, lie at the same place on all of them."
      })
  private @Nullable Path hosts;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "2",
      description = "How long each of the four figures is measured, more than 0.")
  private double seconds = 2;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      showDefaultValue = CommandLine.Help.Visibility.NEVER,
      description =
          "Files, taken as UTF-8, or folders to count; without any, the sources of this repository.")
  private List<Path> files = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    TransportName.checkBetweenProcesses(spec.commandLine(), transport);
    if (!device.equals("auto")) {
      checkDevice();
    }
    HostsFile.check(spec.commandLine(), hosts);
    Duration each = each();
    if (hosts != null) {
      return DemoRank.runOn(hosts, transport, device, each, files);
    }
    DemoReport report = Demo.run(TextFiles.read(files), transport, device, each);
    spec.commandLine().getOut().print(report.format());
    spec.commandLine().getOut().flush();
    return report.isRight() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private Duration each() {
    if (seconds > 0 && seconds <= MOST_SECONDS) {
      return Duration.ofNanos((long) (seconds * 1e9));
    }
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "--seconds " + seconds + ": expected more than 0, and at most " + MOST_SECONDS);
  }

  private void checkDevice() {
    try {
      TransportName.checkDevice(transport, device);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }
}
