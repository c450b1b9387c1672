// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static java.util.Objects.requireNonNull;

import io.verbena.kv.store.region.RegionEngine;
import io.verbena.kv.store.region.RegionScan;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes over keys in their order, as of a snapshot. {@link #next} goes to the next one; {@link
 * #key}, {@link #value} and {@link #version} are then its own, as copies. One thread at a time uses
 * a scan. Between calls it holds a key, a value and a copy of a block for each tree, and its
 * snapshot, unless that was given.
 */
public final class Scan implements AutoCloseable {
  private final List<RegionEngine> regions;
  private final Snapshot snapshot;
  private final boolean ownSnapshot;
  private final byte[] from;
  private final byte @Nullable [] to;
  private final int lastRegion;
  private int region;
  private RegionScan current;
  private boolean there;

  Scan(
      List<RegionEngine> regions,
      Snapshot snapshot,
      boolean ownSnapshot,
      byte[] from,
      byte @Nullable [] to,
      int firstRegion,
      int lastRegion) {
    this.regions = regions;
    this.snapshot = snapshot;
    this.ownSnapshot = ownSnapshot;
    this.from = from;
    this.to = to;
    this.region = firstRegion;
    this.lastRegion = lastRegion;
    this.current = open(firstRegion);
  }

  private RegionScan open(int index) {
    return new RegionScan(
        regions.get(index),
        snapshot.of(index),
        MemorySegment.ofArray(from),
        to == null ? null : MemorySegment.ofArray(to));
  }

  /** Goes to the next key. @return whether there is one */
  public boolean next() {
    there = false;
    try {
      while (!current.next()) {
        if (region == lastRegion) {
          return false;
        }
        current = open(++region);
      }
      there = true;
      return true;
    } catch (IOException e) {
      throw Failures.of(e);
    }
  }

  public byte[] key() {
    checkThere();
    return current.key().clone();
  }

  public byte[] value() {
    checkThere();
    return requireNonNull(current.found().bytes());
  }

  public long version() {
    checkThere();
    return current.found().version();
  }

  private void checkThere() {
    if (!there) {
      throw new IllegalStateException("the scan is at no key: next() has to say true first");
    }
  }

  @Override
  public void close() {
    if (ownSnapshot) {
      snapshot.close();
    }
  }
}
