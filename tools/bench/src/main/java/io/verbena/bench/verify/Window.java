// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.verify;

/**
 * Messages and the time they took to arrive.
 *
 * @param firstNs when the first one came, by {@link System#nanoTime}; 0 if none came
 * @param lastNs when the last one came whose time was taken
 * @param messages how many came after the first, up to that last one
 */
public record Window(long firstNs, long lastNs, long messages) {

  /** No message. */
  public static final Window EMPTY = new Window(0, 0, 0);

  /** The window over both, which may be of different processes of one host. */
  public Window union(Window other) {
    if (isEmpty()) {
      return other;
    }
    if (other.isEmpty()) {
      return this;
    }
    // The first message of the later one lies within the window.
    long alsoCounted = messages + other.messages + 1;
    return new Window(
        Math.min(firstNs, other.firstNs), Math.max(lastNs, other.lastNs), alsoCounted);
  }

  /** Messages per second; 0 if there were too few to tell. */
  public double messagesPerSecond() {
    return messages == 0 || lastNs <= firstNs ? 0 : messages * 1e9 / (lastNs - firstNs);
  }

  private boolean isEmpty() {
    return firstNs == 0 && lastNs == 0;
  }
}
