// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.verify.Tally;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The parts that JSON documents of all kinds have; docs/benchmarks.md tells the fields. */
public final class JsonFields {

  private static final String META = "meta";

  private JsonFields() {}

  /**
   * The text of a document.
   *
   * @param isComplete false if the run was interrupted
   * @param content puts what was measured beside {@link #meta where it comes from}
   */
  public static String document(
      Machine machine, String command, boolean isComplete, Consumer<ObjectNode> content) {
    ObjectNode root = JsonMapper.shared().createObjectNode();
    ObjectNode meta = root.putObject(META);
    meta.put("complete", isComplete);
    meta.put("commit", machine.commit());
    meta.put("jdk", machine.jdk());
    meta.put("cpu", machine.cpu());
    meta.put("cores", machine.cores());
    meta.put("kernel", machine.kernel());
    meta.put("command", command);
    content.accept(root);
    return text(root);
  }

  /** Where the figures of a document come from. */
  public static ObjectNode meta(ObjectNode document) {
    return document.withObjectProperty(META);
  }

  /** The text of a document, for people, too. */
  public static String text(ObjectNode document) {
    return document.toPrettyString() + "\n";
  }

  /** A median under its name, the least and the greatest under {@code …_min} and {@code …_max}. */
  public static void put(ObjectNode node, String name, Spread spread) {
    node.put(name, spread.median());
    node.put(name + "_min", spread.min());
    node.put(name + "_max", spread.max());
  }

  /** Null three times: nobody has told it. */
  public static void putUnknown(ObjectNode node, String name) {
    node.putNull(name).putNull(name + "_min").putNull(name + "_max");
  }

  /** The spread of every figure of round trips; null if there were none. */
  public static void putRoundTrips(ObjectNode node, List<RoundTrips> rounds) {
    if (rounds.isEmpty()) {
      node.putNull("rtt_ns");
      return;
    }
    ObjectNode rtt = node.putObject("rtt_ns");
    RoundTrips.FIGURES.forEach((name, figure) -> put(rtt, name, Spread.of(rounds, figure)));
  }

  /** The points of a distribution; null where there were too few round trips. */
  public static void putPercentiles(ObjectNode node, List<Percentile> percentiles) {
    if (percentiles.isEmpty()) {
      node.putNull("rtt_percentiles");
      return;
    }
    ArrayNode points = node.putArray("rtt_percentiles");
    percentiles.forEach(point -> points.addArray().add(point.percentile()).add(point.ns()));
  }

  /** What became of messages; null where nobody looked. */
  public static void putTally(ObjectNode node, @Nullable Tally tally) {
    if (tally == null) {
      node.putNull("lost").putNull("duplicated").putNull("corrupted").putNull("reordered");
      return;
    }
    node.put("lost", tally.lost());
    node.put("duplicated", tally.duplicated());
    node.put("corrupted", tally.corrupted());
    node.put("reordered", tally.reordered());
  }

  /** The name of a constant. */
  public static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
