// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.kv.store.StoreException.Reason;
import io.verbena.kv.store.base.Bytes;
import io.verbena.kv.store.disk.Disk;
import io.verbena.kv.store.disk.Folder;
import io.verbena.kv.store.index.BlockCache;
import io.verbena.kv.store.log.Operation;
import io.verbena.kv.store.region.RegionEngine;
import io.verbena.kv.store.region.RegionStats;
import io.verbena.kv.store.region.Snapshots;
import io.verbena.kv.store.region.Write;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key-value store in a folder, for one process at a time. Keys of 1 to 1,024 bytes are ordered as
 * unsigned bytes; values have up to 1 MiB. Any number of threads read and write. Writes of a region
 * happen one after the other, and a read sees all that returned before it began.
 *
 * <p>Arguments and results are copies: an array or segment is the caller's again when the call
 * returns. An argument that is beyond a limit is an {@link IllegalArgumentException}; everything
 * else that can go wrong, a {@link StoreException}, whose reason says what. Streams that a caller
 * gives fail in their own way.
 */
public final class Store implements AutoCloseable {
  private static final byte[] NOTHING = {};

  private final AutoCloseable lock;
  private final BlockCache cache;
  private final Background background;
  private final List<RegionEngine> regions;
  private final byte[][] starts;
  private final int tablePairs;
  private final Lookup.Pool lookups = new Lookup.Pool();
  private volatile boolean closed;

  private Store(
      AutoCloseable lock,
      BlockCache cache,
      Background background,
      List<RegionEngine> regions,
      byte[][] starts,
      int tablePairs) {
    this.tablePairs = tablePairs;
    this.lock = lock;
    this.cache = cache;
    this.background = background;
    this.regions = regions;
    this.starts = starts;
  }

  /** Opens a store with {@link StoreOptions#defaults()}. */
  public static Store open(Path folder) {
    return open(folder, StoreOptions.defaults());
  }

  /** Opens the store in a folder. One that is empty, or not there, becomes a new store. */
  public static Store open(Path folder, StoreOptions options) {
    try {
      return open(new Folder(folder), options, Background.threads(options));
    } catch (IOException e) {
      throw Failures.of(e);
    }
  }

  static Store open(Disk disk, StoreOptions options, Background background) {
    BlockCache cache = new BlockCache(options.cacheBytes());
    List<RegionEngine> regions = new ArrayList<>();
    AutoCloseable lock = null;
    try {
      Contents.check(disk);
      lock = disk.lock("lock");
      if (lock == null) {
        throw new StoreException(
            Reason.IN_USE,
            disk.describe("lock")
                + " is held: another process, or another Store of this one, has the store open");
      }
      byte[][] starts = Contents.readOrMake(disk, options.splits());
      for (int i = 0; i < starts.length; i++) {
        regions.add(
            new RegionEngine(
                disk.folder(Contents.folderOf(i)),
                i,
                options.ofRegion(),
                cache,
                background.flusher(),
                background.merger(),
                background.collector()));
      }
      background.begin(regions);
      return new Store(lock, cache, background, List.copyOf(regions), starts, options.tablePairs());
    } catch (IOException e) {
      abandon(lock, cache, background, regions);
      throw Failures.of(e);
    } catch (RuntimeException | Error e) {
      abandon(lock, cache, background, regions);
      throw e;
    }
  }

  private static void abandon(
      @Nullable AutoCloseable lock,
      BlockCache cache,
      Background background,
      List<RegionEngine> regions) {
    try {
      closeAll(lock, cache, background, regions);
    } catch (StoreException e) {
      // the failure before is what its caller hears of
    }
  }

  private int regionOf(byte[] key) {
    if (starts.length == 1) {
      return 0;
    }
    int at = Arrays.binarySearch(starts, key, Arrays::compareUnsigned);
    return at >= 0 ? at : -at - 2;
  }

  private int regionOf(MemorySegment key, int length) {
    int region = regions.size() - 1;
    while (region > 0 && isBefore(key, length, starts[region])) {
      region--;
    }
    return region;
  }

  private Snapshots.Held heldBy(Snapshot snapshot, int region) {
    if (!snapshot.isOf(regions)) {
      throw new IllegalArgumentException("the snapshot is of another store");
    }
    return snapshot.of(region);
  }

  private static boolean isBefore(MemorySegment key, int length, byte[] start) {
    return Bytes.compare(key, 0, length, MemorySegment.ofArray(start), 0, start.length) < 0;
  }

  // ---- writing

  /** Writes a value in place of that of the key, if there is one. @return its version */
  public long put(byte[] key, byte[] value) {
    return write(new Single.OfArrays(Operation.PUT, key, value), regionOf(key), -1);
  }

  /** As {@link #put(byte[], byte[])}. */
  public long put(MemorySegment key, MemorySegment value) {
    return write(new Single.OfMemory(Operation.PUT, key, value), -1);
  }

  /** Takes a key away, if it is there. @return the version of this change */
  public long delete(byte[] key) {
    return write(new Single.OfArrays(Operation.DELETE, key, NOTHING), regionOf(key), -1);
  }

  /** As {@link #delete(byte[])}. */
  public long delete(MemorySegment key) {
    return write(new Single.OfMemory(Operation.DELETE, key, MemorySegment.NULL), -1);
  }

  /** Writes a value if the key is not there. @return its version; 0 if the key is there */
  public long putIfAbsent(byte[] key, byte[] value) {
    return compareAndSet(key, 0, value);
  }

  /** As {@link #putIfAbsent(byte[], byte[])}. */
  public long putIfAbsent(MemorySegment key, MemorySegment value) {
    return compareAndSet(key, 0, value);
  }

  /**
   * Writes a value if the key has a version, as {@link #put} and {@link #getVersioned} say it; 0 is
   * that of a key that is not there.
   *
   * @return the new version; 0 if the key has another one
   */
  public long compareAndSet(byte[] key, long expectedVersion, byte[] value) {
    Limits.checkVersion(expectedVersion);
    return write(new Single.OfArrays(Operation.PUT, key, value), regionOf(key), expectedVersion);
  }

  /** As {@link #compareAndSet(byte[], long, byte[])}. */
  public long compareAndSet(MemorySegment key, long expectedVersion, MemorySegment value) {
    Limits.checkVersion(expectedVersion);
    return write(new Single.OfMemory(Operation.PUT, key, value), expectedVersion);
  }

  private long write(Single.OfMemory write, long expected) {
    return write(write, regionOf(write.key(), write.keyLength()), expected);
  }

  private long write(Write write, int region, long expected) {
    try {
      return regions.get(region).write(write, expected);
    } catch (IOException e) {
      throw Failures.of(e);
    }
  }

  /**
   * Writes all of a batch. @return the version of its last write, 0 if it holds none; that of the
   * one before is less by 1, and so on
   */
  public long write(Batch batch) {
    if (batch.count() == 0) {
      return 0;
    }
    if (batch.count() > tablePairs) {
      throw new IllegalArgumentException(
          "a batch of " + batch.count() + " writes; it may have tablePairs, " + tablePairs);
    }
    int region = regionOf(batch.firstKey());
    if (region != regionOf(batch.lastKey())) {
      throw new IllegalArgumentException(
          "the keys of a batch belong to regions "
              + region
              + " to "
              + regionOf(batch.lastKey())
              + "; they may belong to one: write a batch for each");
    }
    return write(batch.write(), region, -1);
  }

  // ---- reading

  /** The value of a key; null if it is not there. */
  public byte @Nullable [] get(byte[] key) {
    return get(null, key);
  }

  /** The value that a key had at a snapshot; null if it was not there. */
  public byte @Nullable [] get(@Nullable Snapshot snapshot, byte[] key) {
    Lookup lookup = lookups.take();
    try {
      lookup.setKey(key);
      return find(lookup, snapshot) ? lookup.found.bytes() : null;
    } finally {
      lookups.giveBack(lookup);
    }
  }

  /** The value of a key, and its version; null if it is not there. */
  public @Nullable Versioned getVersioned(byte[] key) {
    Lookup lookup = lookups.take();
    try {
      lookup.setKey(key);
      byte[] value = find(lookup, null) ? lookup.found.bytes() : null;
      return value == null ? null : new Versioned(value, lookup.found.version());
    } finally {
      lookups.giveBack(lookup);
    }
  }

  /**
   * Copies the value of a key to the beginning of a segment. A value that does not fit there is not
   * copied.
   *
   * @return the value's length; -1 if the key is not there
   */
  public int get(MemorySegment key, MemorySegment into) {
    Lookup lookup = lookups.take();
    try {
      lookup.setKey(key);
      Limits.checkTarget(into);
      lookup.found.reset(into);
      return find(lookup, null) ? lookup.found.length() : -1;
    } finally {
      lookups.giveBack(lookup);
    }
  }

  private boolean find(Lookup lookup, @Nullable Snapshot snapshot) {
    int region = regionOf(lookup.key, lookup.keyLength);
    try {
      return regions
          .get(region)
          .get(
              lookup.key,
              lookup.keyLength,
              snapshot == null ? null : heldBy(snapshot, region),
              lookup.found);
    } catch (IOException e) {
      throw Failures.of(e);
    }
  }

  /** The store as it is now, for reads. */
  public Snapshot snapshot() {
    if (closed) {
      throw new StoreException(Reason.CLOSED, "the store is closed");
    }
    return new Snapshot(regions);
  }

  /**
   * All keys from one on and before another, as they are now. @param to null: up to the last one
   */
  public Scan scan(byte[] from, byte @Nullable [] to) {
    byte[] first = from.clone(); // null would leave a snapshot behind
    return scan(snapshot(), true, first, to);
  }

  /** As {@link #scan(byte[], byte[])}. */
  public Scan scan(MemorySegment from, @Nullable MemorySegment to) {
    return scan(from.toArray(JAVA_BYTE), to == null ? null : to.toArray(JAVA_BYTE));
  }

  /** As {@link #scan(byte[], byte[])}, at a snapshot. */
  public Scan scan(Snapshot snapshot, byte[] from, byte @Nullable [] to) {
    heldBy(snapshot, 0);
    return scan(snapshot, false, from, to);
  }

  private Scan scan(Snapshot snapshot, boolean own, byte[] from, byte @Nullable [] to) {
    int last = to == null ? regions.size() - 1 : regionOf(to);
    int first = Math.min(regionOf(from), last);
    return new Scan(
        regions, snapshot, own, from.clone(), to == null ? null : to.clone(), first, last);
  }

  // ---- upkeep

  /** Returns when all that was written before lies in the index on disk. */
  public void flush() {
    each(RegionEngine::flush);
  }

  /** Returns when all that was written before lies in one tree for each region. */
  public void compact() {
    each(RegionEngine::compact);
  }

  /**
   * Returns when all that was written before is durable, whatever {@link StoreOptions#durability()}
   * says.
   */
  public void sync() {
    each(RegionEngine::sync);
  }

  /**
   * Reads all that is stored. The first thing that is not as it was written is told as {@link
   * Reason#DAMAGED}.
   */
  public void verify() {
    each(RegionEngine::verify);
  }

  /**
   * Writes all keys and values, as they are now, for {@link #importFrom}. Versions are not
   * kept. @return how many
   */
  public long exportTo(OutputStream to) throws IOException {
    try (Scan scan = scan(new byte[0], null)) {
      return Archive.write(scan, to);
    }
  }

  /**
   * Puts all that a store has exported. Some damage is found at the end only; the keys before it
   * are in by then.
   *
   * @return how many keys
   */
  public long importFrom(InputStream from) throws IOException {
    return Archive.read(from, this);
  }

  /** What the store has done since it was opened, and what it holds; also of one that is closed. */
  public StoreStats stats() {
    return new StoreStats(
        regions.stream().map(RegionEngine::stats).reduce(RegionStats.NONE, RegionStats::plus),
        cache.hits(),
        cache.misses(),
        regions.stream().map(RegionEngine::cut).filter(Objects::nonNull).toList());
  }

  private interface Work {
    void on(RegionEngine region) throws IOException;
  }

  private void each(Work work) {
    for (RegionEngine region : regions) {
      try {
        work.on(region);
      } catch (IOException e) {
        throw Failures.of(e);
      }
    }
  }

  /**
   * Ends the store when all is durable, or fails where that cannot be had ({@link
   * Reason#READ_ONLY}). Calls of others are refused from here on; another call of this one does
   * nothing.
   */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      closeAll(lock, cache, background, regions);
    }
  }

  private static void closeAll(
      @Nullable AutoCloseable lock,
      BlockCache cache,
      Background background,
      List<RegionEngine> regions) {
    regions.forEach(RegionEngine::stop);
    background.end();
    IOException failure = null;
    for (RegionEngine region : regions) {
      try {
        region.close();
      } catch (IOException | RuntimeException e) {
        failure = e instanceof IOException io ? io : new IOException(e);
      }
    }
    try (AutoCloseable last = lock) {
      cache.close();
    } catch (Exception e) {
      failure = new IOException(e);
    }
    if (failure != null) {
      throw Failures.of(failure);
    }
  }
}
