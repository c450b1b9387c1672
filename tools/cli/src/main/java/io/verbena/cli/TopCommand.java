// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code verbena top}. */
@Command(
    name = "top",
    description = {
      "Shows once a second what the nodes of this user on this host do.",
      "Messages and bytes a second, waits for room, resumed links, reply times of a sample; and for each connection its"
          + " transport and why, the bytes that its peer has not consumed yet, and the memory it takes."
    },
    mixinStandardHelpOptions = true)
final class TopCommand implements Callable<Integer> {

  private static final String CLEAR = "\033[H\033[2J";

  @SuppressWarnings("NullAway.Init") // by picocli
  @Spec
  private CommandSpec spec;

  @Option(names = "--once", description = "Looks once and ends.")
  private boolean once;

  @Option(names = "--json", description = "Prints JSON instead, a line for each look.")
  private boolean asJson;

  @Option(
      names = "--directory",
      paramLabel = "FOLDER",
      description = "Where nodes write, if their key status.directory is set.")
  private @Nullable Path directory;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (directory != null && !Files.isDirectory(directory)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--directory: there is no folder " + directory);
    }
    StatusFolder folder =
        directory == null ? StatusFolder.ofThisUser() : new StatusFolder(directory);
    PrintWriter out = spec.commandLine().getOut();
    boolean clears = !once && !asJson && System.console() != null && System.console().isTerminal();
    do {
      List<NodeReport> reports = folder.reports(System.currentTimeMillis());
      out.print(
          (clears ? CLEAR : "") + (asJson ? TopJson.format(reports) : TopText.format(reports)));
      out.flush();
    } while (!once && !out.checkError() && rest());
    return CommandLine.ExitCode.OK;
  }

  private static boolean rest() throws InterruptedException {
    TimeUnit.SECONDS.sleep(1);
    return true;
  }
}
