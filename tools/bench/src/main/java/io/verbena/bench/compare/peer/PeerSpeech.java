// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.peer;

import io.verbena.bench.control.Line;
import io.verbena.bench.process.ChildProcess;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * How peers speak: commands are a word and a number, reports are objects of JSON whose {@code
 * event} is the word of the line; tools/bench/peers/README.md tells the conversation.
 */
final class PeerSpeech implements ChildProcess.Speech {

  private static final String EVENT = "event";
  private static final String NUMBER = "number";

  /** A command. */
  static Line command(String word, long number) {
    return new Line(word).with(NUMBER, number);
  }

  @Override
  public boolean isReport(String text) {
    return text.startsWith("{");
  }

  @Override
  public Line read(String text) {
    try {
      JsonNode report = JsonMapper.shared().readTree(text);
      Line line = new Line(report.required(EVENT).asString());
      report
          .properties()
          .forEach(
              field -> {
                JsonNode value = field.getValue();
                line.with(field.getKey(), value.isString() ? value.asString() : value.toString());
              });
      return line;
    } catch (JacksonException e) {
      throw new IllegalArgumentException("no report: " + text, e);
    }
  }

  @Override
  public String written(Line line) {
    return line.word() + " " + line.number(NUMBER);
  }
}
