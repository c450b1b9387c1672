// SPDX-License-Identifier: Apache-2.0
package io.verbena.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Meters with the registries they are in, to take them out again. */
final class BoundMeters {

  private record Bound(MeterRegistry registry, Meter meter) {}

  private final List<Bound> bound = new CopyOnWriteArrayList<>();

  void keep(MeterRegistry registry, Meter meter) {
    bound.add(new Bound(registry, meter));
  }

  void remove() {
    for (Bound each : bound) {
      each.registry().remove(each.meter());
    }
    bound.clear();
  }
}
