// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.figure;

import io.verbena.bench.compare.CompareJson;
import io.verbena.bench.compare.contest.Skipped;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Those that have no figures, for a terminal and as JSON; docs/benchmarks.md tells the fields. */
public final class Absent {

  private Absent() {}

  /** A line for each that was left out, and for each that has failed. */
  public static String text(List<Skipped> skipped, List<String> failures) {
    StringBuilder text = new StringBuilder();
    skipped.forEach(one -> text.append("skipped: ").append(one.text()).append('\n'));
    failures.forEach(one -> text.append("FAILED: ").append(one).append('\n'));
    return text.toString();
  }

  /** Adds them to a document, where its failures have no more than a reason. */
  public static void put(ObjectNode document, List<Skipped> skipped, List<String> failures) {
    CompareJson.putSkipped(document.putArray("skipped"), skipped);
    ArrayNode array = document.putArray("failures");
    failures.forEach(reason -> array.addObject().put("reason", reason));
  }
}
