// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.fabric;

import static io.verbena.bench.figure.Reach.Of.DIFFERENCE;
import static io.verbena.bench.figure.Reach.Of.RATIO;
import static io.verbena.bench.figure.Reach.Of.VALUE;
import static io.verbena.bench.figure.Reach.Side.LEAST;
import static io.verbena.bench.figure.Reach.Side.MOST;

import io.verbena.bench.figure.Figure;
import io.verbena.bench.figure.Reach;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one-sided operations over softnic are to come to; of other devices nothing is said. */
final class FabricReach {

  /** Behind the name of what is measured from Java. */
  static final String FROM_JAVA = ", Java";

  private record Key(String what, long sizeBytes, String way) {}

  private static final String SHARED = "softnic";
  private static final String TCP = "softnic over TCP";
  private static final String PUTS = "puts one at a time";

  private static final Map<Key, Reach> ALL =
      Map.of(
          new Key("put, p50", 64, SHARED), new Reach(VALUE, MOST, 150),
          new Key("puts in batches", 64, SHARED), new Reach(VALUE, LEAST, 15e6),
          new Key("get, p50", 64, SHARED), new Reach(VALUE, MOST, 200),
          new Key("fetch-and-add, p50", 8, SHARED), new Reach(VALUE, MOST, 200),
          new Key(PUTS, 64 << 10, SHARED), new Reach(RATIO, LEAST, 0.85),
          new Key(PUTS, 1 << 20, SHARED), new Reach(RATIO, LEAST, 0.85),
          new Key("put, p50" + FROM_JAVA, 64, SHARED), new Reach(DIFFERENCE, MOST, 40),
          new Key(PUTS + FROM_JAVA, 64 << 10, SHARED), new Reach(RATIO, LEAST, 0.95),
          new Key("puts", 64 << 10, TCP), new Reach(RATIO, LEAST, 0.6),
          new Key("get, p50", 64, TCP), new Reach(RATIO, MOST, 1.5));

  private FabricReach() {}

  /** Of a figure; null for nothing. */
  static @Nullable Reach of(Figure figure) {
    return ALL.get(new Key(figure.what(), figure.sizeBytes(), figure.way()));
  }
}
