// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.figure;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.process.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a native tool has measured: it tells a line for each figure (native/bench/figure.h). */
public final class NativeFigures {

  /** With both cores taken by others it takes minutes. */
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  private NativeFigures() {}

  /**
   * Runs a tool.
   *
   * @throws BenchException if it fails, or tells nothing that can be read
   */
  public static List<Figure> measure(Tool tool, String... words) throws InterruptedException {
    String output = tool.run(PATIENCE, words);
    try {
      return read(output);
    } catch (JacksonException | IllegalArgumentException e) {
      throw new BenchException(
          "%s reported something else than figures (%s): %s"
              .formatted(tool.path(), e.getMessage(), output.strip()));
    }
  }

  static List<Figure> read(String lines) {
    List<Figure> figures = new ArrayList<>();
    for (String line : lines.lines().toList()) {
      figures.add(figure(JsonMapper.shared().readTree(line)));
    }
    if (figures.isEmpty()) {
      throw new IllegalArgumentException("no lines");
    }
    return List.copyOf(figures);
  }

  private static Figure figure(JsonNode line) {
    return new Figure(
        line.required("measured").asString(),
        line.required("size_bytes").asLong(),
        line.required("way").asString(),
        Unit.parse(line.required("unit").asString()),
        numbers(line.required("values")),
        partner(line));
  }

  private static Figure.@Nullable Partner partner(JsonNode line) {
    return line.has("beside")
        ? new Figure.Partner(
            line.required("beside").asString(), numbers(line.required("beside_values")))
        : null;
  }

  private static List<Double> numbers(JsonNode array) {
    List<Double> numbers = new ArrayList<>();
    array.forEach(number -> numbers.add(number.asDouble()));
    return numbers;
  }
}
