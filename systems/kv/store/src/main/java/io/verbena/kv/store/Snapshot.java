// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import io.verbena.kv.store.region.RegionEngine;
import io.verbena.kv.store.region.Snapshots.Held;
import java.util.List;

/**
 * A store as it was at a moment, for reads. Of each region it is one moment of that region. It
 * costs the space of what was overwritten since, so close it; after {@link
 * StoreOptions#snapshotAge()} it cannot be read any more.
 */
public final class Snapshot implements AutoCloseable {
  private final List<RegionEngine> regions;
  private final List<Held> held;

  Snapshot(List<RegionEngine> regions) {
    this.regions = regions;
    this.held = regions.stream().map(RegionEngine::snapshot).toList();
  }

  boolean isOf(List<RegionEngine> others) {
    return regions == others;
  }

  Held of(int region) {
    return held.get(region);
  }

  @Override
  public void close() {
    for (int i = 0; i < held.size(); i++) {
      regions.get(i).release(held.get(i));
    }
  }
}
