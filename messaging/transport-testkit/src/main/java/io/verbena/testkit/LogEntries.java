// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/** What Verbena logs while this is open. */
public final class LogEntries extends Handler implements AutoCloseable {

  private static final Logger VERBENA =
      Logger.getLogger("io.verbena"); // kept: loggers are weakly held

  private final Formatter formatter = new SimpleFormatter();
  private final List<String> texts = new CopyOnWriteArrayList<>();

  private final @Nullable Level before = VERBENA.getLevel();

  private LogEntries(Level least) {
    setLevel(least);
    VERBENA.addHandler(this);
  }

  /** What is told without having gone wrong or being worth a look, too. */
  public static LogEntries withDetails() {
    LogEntries entries = new LogEntries(Level.FINE);
    VERBENA.setLevel(Level.FINE);
    return entries;
  }

  /** What is told without having gone wrong, warnings and errors. */
  public static LogEntries all() {
    return new LogEntries(Level.INFO);
  }

  /** Warnings and errors. */
  public static LogEntries warnings() {
    return new LogEntries(Level.WARNING);
  }

  /** Errors alone: a shared loop had to survive a failure. */
  public static LogEntries errors() {
    return new LogEntries(Level.SEVERE);
  }

  /** Their texts so far. */
  public List<String> texts() {
    return texts;
  }

  /** Fails if anything was logged. */
  public void assertNone() {
    if (!texts.isEmpty()) {
      throw new AssertionError("this was logged: " + texts);
    }
  }

  @Override
  public void publish(LogRecord entry) {
    if (isLoggable(entry)) {
      Throwable thrown = entry.getThrown();
      texts.add(formatter.formatMessage(entry) + (thrown == null ? "" : ": " + thrown));
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    VERBENA.removeHandler(this);
    VERBENA.setLevel(before);
  }
}
