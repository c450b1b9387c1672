// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import java.util.ArrayDeque;
import java.util.Deque;

/** The last lines that a process has written, for the message that tells of its end. */
final class LastWords {

  private static final int MOST_LINES = 8;
  private static final int MOST_CHARS_OF_A_LINE = 400;

  private final Deque<String> lines = new ArrayDeque<>(); // guarded by this

  /** Those of a text. */
  static String of(String text) {
    LastWords words = new LastWords();
    text.lines().forEach(words::add);
    return words.text();
  }

  synchronized void add(String line) {
    String said = line.strip();
    if (!said.isEmpty()) {
      lines.add(
          said.length() <= MOST_CHARS_OF_A_LINE ? said : said.substring(0, MOST_CHARS_OF_A_LINE));
    }
    if (lines.size() > MOST_LINES) {
      lines.removeFirst();
    }
  }

  /** The last line was not among them. */
  synchronized void removeLast() {
    lines.pollLast();
  }

  /** They follow a sentence that names the process. */
  synchronized String text() {
    return lines.isEmpty() ? "it said nothing" : "its last words: " + String.join(" | ", lines);
  }
}
