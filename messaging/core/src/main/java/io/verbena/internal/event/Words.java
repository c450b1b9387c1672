// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.event;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Failures of others in words. They may have none: their own methods throw, or there is no heap
 * left for words. Nothing of that is thrown here.
 */
public final class Words {

  private static final int MOST_FRAMES = 20;

  private Words() {}

  /** The class and the message of a failure; the class alone if it cannot tell its message. */
  public static String of(Throwable failure) {
    String name = "a failure";
    try {
      name = failure.getClass().getName();
      String text = failure.getMessage();
      return text == null ? name : name + ": " + text;
    } catch (Throwable e) {
      return name;
    }
  }

  /**
   * Logs a failure that the calling thread outlives. Without heap or words it does not.
   *
   * @param what with a place for the node's id
   */
  public static void log(Logger log, Level level, String what, int node, Throwable failure) {
    try {
      log.log(level, what.formatted(node), failure);
    } catch (Throwable e) {
      logWithoutStack(log, level, what, node, failure);
    }
  }

  /** Where a thread is, a line for each frame, as exceptions have it. */
  public static String stackOf(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .limit(MOST_FRAMES)
        .map(frame -> "\n\tat " + frame)
        .collect(Collectors.joining());
  }

  private static void logWithoutStack(
      Logger log, Level level, String what, int node, Throwable failure) {
    try {
      log.log(level, what.formatted(node) + ": " + of(failure));
    } catch (Throwable e) {
      // Its own thread is more important.
    }
  }
}
