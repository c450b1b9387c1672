// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.verify;

/**
 * What became of the messages of one source, or of several.
 *
 * @param expected how many were sent
 * @param lost sent and not seen
 * @param duplicated seen again
 * @param corrupted not what was sent
 * @param reordered seen after one that was sent later
 */
public record Tally(long expected, long lost, long duplicated, long corrupted, long reordered) {

  /** Nothing sent, nothing wrong. */
  public static final Tally NONE = new Tally(0, 0, 0, 0, 0);

  /** Both together. */
  public Tally plus(Tally other) {
    return new Tally(
        expected + other.expected,
        lost + other.lost,
        duplicated + other.duplicated,
        corrupted + other.corrupted,
        reordered + other.reordered);
  }

  /** The same of another number of messages. */
  public Tally withExpected(long messages) {
    return new Tally(messages, lost, duplicated, corrupted, reordered);
  }

  /** Whether every message arrived once, whole, and in order where there is one. */
  public boolean isClean() {
    return (lost | duplicated | corrupted | reordered) == 0;
  }

  /** What went wrong, for people. */
  public String wrongs() {
    return "of %d messages %d were lost, %d duplicated, %d corrupted, %d out of order"
        .formatted(expected, lost, duplicated, corrupted, reordered);
  }
}
