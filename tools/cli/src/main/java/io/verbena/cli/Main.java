// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.cli.kv.KvCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The entry: finds the command and runs it. */
@Command(
    name = "verbena",
    description = "Typed messaging between JVM processes.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      DemoCommand.class,
      BenchCommand.class,
      CompareCommand.class,
      DevicesCommand.class,
      DoctorCommand.class,
      KvCommand.class,
      TopCommand.class
    },
    footer = {
      "%nJobs:",
      "  run      starts a program as ranks of a job, here or on several hosts: verbena run --help",
      "%nNetworks:",
      "  ip       an interface whose frames go by the fabric: verbena ip --help, verbena ip demo"
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      " 0:it worked; nothing was lost, duplicated or corrupted",
      " 1:it failed, or a check found something wrong",
      " 2:the command line is wrong"
    })
public final class Main implements Runnable {

  @SuppressWarnings("NullAway.Init") // by picocli
  @Spec
  private CommandSpec spec;

  /** Runs a command and exits with its status. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /** Runs a command and returns its status. */
  static int run(String... arguments) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    return commandLine().setOut(out).setErr(err).execute(arguments);
  }

  static CommandLine commandLine() {
    CommandLine command = new CommandLine(new Main());
    showDefaults(command);
    return command
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((wrong, arguments) -> refuse(wrong))
        .setExecutionExceptionHandler((failure, failed, parsed) -> explain(failure, failed));
  }

  /** The command line as the user has typed it. */
  static String typed(CommandSpec spec) {
    return "verbena " + String.join(" ", spec.root().commandLine().getParseResult().originalArgs());
  }

  private static void showDefaults(CommandLine command) {
    command.getCommandSpec().usageMessage().showDefaultValues(true);
    command.getSubcommands().values().forEach(Main::showDefaults);
  }

  private static int refuse(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    command.getErr().println("verbena: " + reason(wrong));
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println("'" + name + " --help' tells what there is");
    return CommandLine.ExitCode.USAGE;
  }

  private static String reason(ParameterException wrong) {
    if (!(wrong instanceof UnmatchedArgumentException unmatched) || unmatched.isUnknownOption()) {
      return String.valueOf(wrong.getMessage());
    }
    String what = wrong.getCommandLine().getSubcommands().isEmpty() ? "argument" : "command";
    return "unknown " + what + " '" + unmatched.getUnmatched().getFirst() + "'";
  }

  private static int explain(Exception failure, CommandLine command) {
    if (failure instanceof InterruptedException) {
      Thread.currentThread().interrupt();
      command.getErr().println("verbena: interrupted");
    } else {
      command.getErr().println("verbena: " + reason(failure));
    }
    if (Boolean.getBoolean("verbena.stacktrace")) {
      failure.printStackTrace(command.getErr());
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** The message of some exceptions is only the file's name. */
  private static String reason(Exception failure) {
    return switch (failure) {
      case NoSuchFileException e -> e.getFile() + ": there is no such file or folder";
      case AccessDeniedException e -> e.getFile() + ": this user has no access";
      default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
    };
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Say what to do: demo, bench, compare, top, devices, doctor, kv or run");
  }
}
