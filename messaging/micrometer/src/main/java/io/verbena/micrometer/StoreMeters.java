// SPDX-License-Identifier: Apache-2.0
package io.verbena.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.verbena.kv.store.Store;
import io.verbena.kv.store.StoreStats;
import java.util.Map;
import java.util.Map.Entry;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a store as meters, under their names in {@link StoreStats} with {@code
 * verbena.kv.} before them and dots between words, tagged with the {@code store}'s name. Numbers of
 * what it holds are gauges, those of what it has done counters.
 *
 * <p>Meters are read when the registry wants to know. {@link #close} takes them out of the
 * registries again; do that before the store is closed.
 */
public final class StoreMeters implements MeterBinder, AutoCloseable {

  private static final String PREFIX = "verbena.kv.";

  private static final Map<String, ToLongFunction<StoreStats>> GAUGES =
      Map.of(
          "table.entries", StoreStats::tableEntries,
          "table.bytes", StoreStats::tableBytes,
          "trees", StoreStats::trees,
          "tree.entries", StoreStats::treeEntries,
          "index.bytes", StoreStats::indexBytes,
          "log.bytes", StoreStats::logBytes,
          "live.log.bytes", StoreStats::liveLogBytes,
          "snapshots", StoreStats::snapshots);

  private static final Map<String, ToLongFunction<StoreStats>> COUNTERS =
      Map.of(
          "flushes", StoreStats::flushes,
          "merges", StoreStats::merges,
          "moved.values", StoreStats::movedValues,
          "stalls", StoreStats::stalls,
          "stall.nanos", StoreStats::stallNanos,
          "log.bytes.written", StoreStats::logBytesWritten,
          "index.bytes.written", StoreStats::indexBytesWritten,
          "cache.hits", StoreStats::cacheHits,
          "cache.misses", StoreStats::cacheMisses);

  private final Store store;
  private final Tags tags;
  private final BoundMeters bound = new BoundMeters();

  /**
   * Of a store that is open.
   *
   * @param name tells it from other stores of the process
   */
  public StoreMeters(Store store, String name) {
    this.store = store;
    this.tags = Tags.of("store", name);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (Entry<String, ToLongFunction<StoreStats>> gauge : GAUGES.entrySet()) {
      ToLongFunction<StoreStats> value = gauge.getValue();
      bound.keep(
          registry,
          Gauge.builder(PREFIX + gauge.getKey(), store, from -> value.applyAsLong(from.stats()))
              .tags(tags)
              .baseUnit(unitOf(gauge.getKey()))
              .register(registry));
    }
    for (Entry<String, ToLongFunction<StoreStats>> counter : COUNTERS.entrySet()) {
      ToLongFunction<StoreStats> value = counter.getValue();
      bound.keep(
          registry,
          FunctionCounter.builder(
                  PREFIX + counter.getKey(), store, from -> value.applyAsLong(from.stats()))
              .tags(tags)
              .baseUnit(unitOf(counter.getKey()))
              .register(registry));
    }
  }

  private static @Nullable String unitOf(String name) {
    return name.contains("bytes") ? BaseUnits.BYTES : null;
  }

  /** Takes the meters out of all registries they were bound to. Idempotent. */
  @Override
  public void close() {
    bound.remove();
  }
}
