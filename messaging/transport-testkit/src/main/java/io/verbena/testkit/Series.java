// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.testkit.TestMessages.Numbered;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Receives numbered series and notices every gap, repetition and change of order. */
public final class Series {

  private static final int SOURCES = 16;

  private final AtomicLongArray next = new AtomicLongArray(SOURCES);
  private final AtomicReference<@Nullable String> firstError = new AtomicReference<>();

  /** Takes a message; those of one source come from one thread at a time. */
  public void take(Numbered message) {
    long expected = next.get(message.source());
    if (message.number() != expected) {
      firstError.compareAndSet(
          null,
          "source "
              + message.source()
              + ": message "
              + message.number()
              + " came where "
              + expected
              + " was due");
    }
    next.set(message.source(), message.number() + 1);
  }

  /** How many of a source came. */
  public long count(int source) {
    return next.get(source);
  }

  /** Fails if anything was lost, repeated or out of order up to now. */
  public void check() {
    String error = firstError.get();
    if (error != null) {
      throw new AssertionError(error);
    }
  }

  /** Waits until {@code count} messages of each of the first {@code sources} came, in order. */
  public void awaitAll(int sources, long count) {
    Await.until(
        Await.LONG,
        () -> this + " where " + count + " of each of " + sources + " were sent",
        () -> firstError.get() != null || hasAll(sources, count));
    check();
    for (int source = 0; source < sources; source++) {
      if (next.get(source) != count) {
        throw new AssertionError(this + ": more than the " + count + " that were sent");
      }
    }
  }

  private boolean hasAll(int sources, long count) {
    for (int source = 0; source < sources; source++) {
      if (next.get(source) < count) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return "came so far, by source: " + next;
  }
}
