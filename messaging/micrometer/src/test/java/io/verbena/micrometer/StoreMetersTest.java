// SPDX-License-Identifier: Apache-2.0
package io.verbena.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.verbena.kv.store.Store;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a registry knows of a store. */
class StoreMetersTest {

  @TempDir Path folder;

  private final MeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void countsWhatIsWrittenAndTellsWhatThereIs() {
    try (Store store = Store.open(folder);
        StoreMeters meters = new StoreMeters(store, "fruit")) {
      meters.bindTo(registry);
      store.put("apple".getBytes(), "red".getBytes());
      store.put("plum".getBytes(), "blue".getBytes());
      assertThat(gauge("verbena.kv.table.entries")).isEqualTo(2);
      store.flush();
      assertThat(gauge("verbena.kv.table.entries")).isZero();
      assertThat(gauge("verbena.kv.tree.entries")).isEqualTo(2);
      assertThat(gauge("verbena.kv.index.bytes"))
          .isEqualTo(store.stats().indexBytes())
          .isPositive();
      assertThat(counter("verbena.kv.flushes")).isEqualTo(1);
      assertThat(counter("verbena.kv.log.bytes.written"))
          .isEqualTo(store.stats().logBytesWritten())
          .isPositive();
    }
    assertThat(registry.getMeters()).as("meters after close").isEmpty();
  }

  private double gauge(String name) {
    return registry.get(name).tag("store", "fruit").gauge().value();
  }

  private double counter(String name) {
    return registry.get(name).tag("store", "fruit").functionCounter().count();
  }
}
