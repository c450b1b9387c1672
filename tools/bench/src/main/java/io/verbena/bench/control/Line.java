// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.control;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** One command or report: a word and named values, which contain no line breaks. */
public final class Line {

  private static final String SEPARATOR = "\t";

  private final String word;
  private final Map<String, String> values = new LinkedHashMap<>();

  /** Starts a line. */
  public Line(String word) {
    this.word = word;
  }

  /** Reads a line. */
  public static Line parse(String text) {
    String[] parts = text.split(SEPARATOR, -1);
    Line line = new Line(parts[0]);
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("not a line of control: '" + text + "'");
      }
      line.values.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
    }
    return line;
  }

  /** Adds a value. */
  public Line with(String name, Object value) {
    values.put(name, value.toString().replace('\t', ' ').replace('\n', ' ').replace('\r', ' '));
    return this;
  }

  /** Adds numbers. */
  public Line with(String name, long[] numbers) {
    return with(name, String.join(",", Arrays.stream(numbers).mapToObj(Long::toString).toList()));
  }

  /** Adds texts under their names, each behind a prefix. */
  public Line with(String prefix, Map<String, String> texts) {
    texts.forEach((name, text) -> with(prefix + name, text));
    return this;
  }

  /** What the line is about. */
  public String word() {
    return word;
  }

  /** Whether there is such a value. */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** A value that must be there. */
  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("'" + word + "' lacks " + name + ": " + this);
    }
    return value;
  }

  /** All values behind a prefix, under their names without it. */
  public Map<String, String> texts(String prefix) {
    Map<String, String> texts = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            texts.put(name.substring(prefix.length()), value);
          }
        });
    return texts;
  }

  /** A number that must be there. */
  public long number(String name) {
    return Long.parseLong(text(name));
  }

  /** Numbers that must be there. */
  public long[] numbers(String name) {
    String text = text(name);
    return text.isEmpty()
        ? new long[0]
        : Arrays.stream(text.split(",")).mapToLong(Long::parseLong).toArray();
  }

  /** The line as it is read again. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(word);
    values.forEach((name, value) -> text.append(SEPARATOR).append(name).append('=').append(value));
    return text.toString();
  }
}
