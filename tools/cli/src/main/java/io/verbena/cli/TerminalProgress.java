// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.Progress;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A bar on a terminal; nothing where the output is a file or a pipe. */
final class TerminalProgress implements Progress, AutoCloseable {

  /** Asking the terminal costs Ctrl-C: the library that does sets the signal's default action. */
  private static final int COLUMNS = 79;

  private final boolean isTerminal;
  private @Nullable ProgressBar bar;

  private TerminalProgress(boolean isTerminal) {
    this.isTerminal = isTerminal;
  }

  @SuppressWarnings("SystemConsoleNull") // it is null where there is no console implementation
  static TerminalProgress open() {
    return new TerminalProgress(System.console() != null && System.console().isTerminal());
  }

  @Override
  public void begins(int rounds) {
    if (isTerminal) {
      bar =
          new ProgressBarBuilder()
              .setTaskName("bench")
              .setInitialMax(rounds)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(500)
              .setConsumer(new ConsoleProgressBarConsumer(System.err, COLUMNS))
              .clearDisplayOnFinish()
              .build();
    }
  }

  @Override
  public void roundBegins(String what) {
    if (bar != null) {
      bar.setExtraMessage(" " + what);
    }
  }

  @Override
  public void roundEnds() {
    if (bar != null) {
      bar.step();
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
