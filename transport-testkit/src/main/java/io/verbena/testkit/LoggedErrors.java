// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What Verbena logs as an error while this is open: a shared loop had to survive a failure. */
final class LoggedErrors extends Handler implements AutoCloseable {

  private static final Logger VERBENA =
      Logger.getLogger("io.verbena"); // kept: loggers are weakly held

  private final List<String> errors = new CopyOnWriteArrayList<>();

  LoggedErrors() {
    setLevel(Level.SEVERE);
    VERBENA.addHandler(this);
  }

  /** Fails if anything was logged. */
  void assertNone() {
    if (!errors.isEmpty()) {
      throw new AssertionError("errors were logged: " + errors);
    }
  }

  @Override
  public void publish(LogRecord entry) {
    if (isLoggable(entry)) {
      errors.add(entry.getMessage() + ": " + entry.getThrown());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    VERBENA.removeHandler(this);
  }
}
