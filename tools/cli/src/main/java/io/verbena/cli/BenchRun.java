// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.JsonFile;
import io.verbena.bench.Machine;
import io.verbena.bench.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * A measurement that is shown while it runs and reported when it ends, or with what there is so far
 * when the user ends it.
 *
 * @param <R> what it gives
 */
abstract class BenchRun<R> {

  /** What a shell expects of a process that SIGINT has ended. */
  static final int INTERRUPTED = 130;

  private final PrintWriter out;
  private final PrintWriter err;
  private final @Nullable Path json;
  private final Machine machine =
      Machine.current(); // now: once it ends nothing is started any more
  private @Nullable R latest;

  /**
   * @param json where to write the results as well
   */
  BenchRun(CommandLine command, @Nullable Path json) {
    this.out = command.getOut();
    this.err = command.getErr();
    this.json = json;
  }

  /** Measures; tells what there is so far as often as there is more. */
  abstract R measure(Progress progress, Consumer<R> soFar) throws InterruptedException;

  /** The results as a table. */
  abstract String text(Machine machine, R result);

  /** The results as JSON; null if there are none. */
  abstract String json(Machine machine, @Nullable R result, boolean isComplete);

  /** Draws the results, if that was asked for. */
  void draw(R result) throws IOException {}

  /** Whether everything that was checked was right. */
  abstract boolean isClean(R result);

  /**
   * Runs to the end, or to Ctrl-C; returns the exit status. What there is so far is reported
   * whatever fails.
   */
  final int execute() throws InterruptedException, IOException {
    try (Interruption interruption = Interruption.watch()) {
      boolean isComplete = measure(interruption);
      report(isComplete);
      R result = latest;
      if (!isComplete) {
        err.println("verbena: interrupted; this is what there was so far");
        err.flush();
        return INTERRUPTED;
      }
      return result != null && isClean(result)
          ? CommandLine.ExitCode.OK
          : CommandLine.ExitCode.SOFTWARE;
    }
  }

  private boolean measure(Interruption interruption) throws InterruptedException, IOException {
    try (TerminalProgress progress = TerminalProgress.open()) {
      latest = measure(progress, result -> latest = result);
      return true;
    } catch (InterruptedException | RuntimeException e) {
      if (!interruption.isRequested()) {
        report(false);
        throw e;
      }
      Thread.interrupted(); // what is to be written now is not to be interrupted
      return false;
    }
  }

  private void report(boolean isComplete) throws IOException {
    R result = latest;
    if (result != null) {
      out.print(text(machine, result));
      out.flush();
    }
    if (json != null) {
      JsonFile.write(json, json(machine, result, isComplete));
    }
    if (result != null) {
      draw(result);
    }
  }
}
