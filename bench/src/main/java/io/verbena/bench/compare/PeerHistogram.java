// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import org.HdrHistogram.Histogram;
import tools.jackson.databind.JsonNode;

/** Round trips as peers tell them: pairs of a time in nanoseconds and how many took it. */
final class PeerHistogram {

  private static final long MAX_NS = 60_000_000_000L;

  private PeerHistogram() {}

  static Histogram read(JsonNode pairs) {
    Histogram histogram = new Histogram(1, MAX_NS, 3);
    for (JsonNode pair : pairs) {
      long ns = Math.clamp(pair.required(0).asLong(), 1, MAX_NS);
      histogram.recordValueWithCount(ns, pair.required(1).asLong());
    }
    return histogram;
  }
}
