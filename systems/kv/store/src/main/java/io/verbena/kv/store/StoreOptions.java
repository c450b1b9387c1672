// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import io.verbena.kv.store.index.Entry;
import io.verbena.kv.store.region.Settings;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * How a store works. Only {@link #splits} is a property of what is stored; the others may differ
 * each time it is opened.
 *
 * @param splits keys at which a region ends and the next one begins, ascending; used when a store
 *     is made
 * @param durability what a write has survived when it returns
 * @param syncInterval how often {@link Durability#INTERVAL} syncs
 * @param inlineLimit values of more bytes than this lie in the log for good, others in the index;
 *     up to 1,024
 * @param tablePairs writes that a table in memory takes; each region has two
 * @param tableBytes memory of such a table
 * @param cacheBytes memory for blocks of the index, of all regions together
 * @param writeWait how long a write waits for room in memory before it is refused
 * @param snapshotAge after this time a snapshot is dropped, so that it does not hold space for ever
 * @param spaceAmplification bytes of the log for each byte of values in it that can still be read,
 *     before space is made
 */
public record StoreOptions(
    List<byte[]> splits,
    Durability durability,
    Duration syncInterval,
    int inlineLimit,
    int tablePairs,
    long tableBytes,
    long cacheBytes,
    Duration writeWait,
    Duration snapshotAge,
    double spaceAmplification) {

  public StoreOptions {
    splits = List.copyOf(splits);
    check(
        inlineLimit >= 0 && inlineLimit <= Entry.MAX_INLINE,
        "inlineLimit",
        inlineLimit,
        "0 to 1024");
    check(tablePairs >= 16 && tablePairs <= 1 << 24, "tablePairs", tablePairs, "16 to 16777216");
    check(
        tableBytes >= 4 << 20 && tableBytes <= 8L << 30,
        "tableBytes",
        tableBytes,
        "4 MiB to 8 GiB");
    check(
        cacheBytes >= 1 << 20 && cacheBytes <= 1L << 42,
        "cacheBytes",
        cacheBytes,
        "1 MiB to 4 TiB");
    check(spaceAmplification >= 1.1, "spaceAmplification", spaceAmplification, "1.1 or more");
    checkPositive("syncInterval", syncInterval);
    checkPositive("writeWait", writeWait);
    checkPositive("snapshotAge", snapshotAge);
    splits.forEach(split -> Limits.checkKey(split.length));
    for (int i = 1; i < splits.size(); i++) {
      if (Arrays.compareUnsigned(splits.get(i - 1), splits.get(i)) >= 0) {
        throw new IllegalArgumentException("splits must ascend; number " + i + " does not");
      }
    }
  }

  private static void checkPositive(String name, Duration duration) {
    boolean good = duration.isPositive() && duration.compareTo(Duration.ofDays(365)) <= 0;
    check(good, name, duration, "more than 0, up to a year");
  }

  private static void check(boolean good, String name, Object value, String limits) {
    if (!good) {
      throw new IllegalArgumentException(name + " is " + value + "; it may be " + limits);
    }
  }

  /**
   * One region, {@link Durability#INTERVAL} of 100 ms, tables of 96,000 writes and 64 MiB, a cache
   * of 256 MiB.
   */
  public static StoreOptions defaults() {
    return new StoreOptions(
        List.of(),
        Durability.INTERVAL,
        Duration.ofMillis(100),
        256,
        96_000,
        64L << 20,
        256L << 20,
        Duration.ofSeconds(60),
        Duration.ofMinutes(10),
        1.5);
  }

  Settings ofRegion() {
    return new Settings(
        durability == Durability.SYNC,
        inlineLimit,
        tablePairs,
        tableBytes,
        writeWait,
        snapshotAge,
        spaceAmplification);
  }

  public StoreOptions withSplits(List<byte[]> changed) {
    return with(draft -> draft.splits = changed);
  }

  public StoreOptions withDurability(Durability changed) {
    return with(draft -> draft.durability = changed);
  }

  public StoreOptions withSyncInterval(Duration changed) {
    return with(draft -> draft.syncInterval = changed);
  }

  public StoreOptions withInlineLimit(int changed) {
    return with(draft -> draft.inlineLimit = changed);
  }

  public StoreOptions withTables(int pairs, long bytes) {
    return with(
        draft -> {
          draft.tablePairs = pairs;
          draft.tableBytes = bytes;
        });
  }

  public StoreOptions withCacheBytes(long changed) {
    return with(draft -> draft.cacheBytes = changed);
  }

  public StoreOptions withWriteWait(Duration changed) {
    return with(draft -> draft.writeWait = changed);
  }

  public StoreOptions withSnapshotAge(Duration changed) {
    return with(draft -> draft.snapshotAge = changed);
  }

  public StoreOptions withSpaceAmplification(double changed) {
    return with(draft -> draft.spaceAmplification = changed);
  }

  private StoreOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** Options that are being changed. */
  private static final class Draft {
    private List<byte[]> splits;
    private Durability durability;
    private Duration syncInterval;
    private int inlineLimit;
    private int tablePairs;
    private long tableBytes;
    private long cacheBytes;
    private Duration writeWait;
    private Duration snapshotAge;
    private double spaceAmplification;

    private Draft(StoreOptions options) {
      splits = options.splits;
      durability = options.durability;
      syncInterval = options.syncInterval;
      inlineLimit = options.inlineLimit;
      tablePairs = options.tablePairs;
      tableBytes = options.tableBytes;
      cacheBytes = options.cacheBytes;
      writeWait = options.writeWait;
      snapshotAge = options.snapshotAge;
      spaceAmplification = options.spaceAmplification;
    }

    private StoreOptions options() {
      return new StoreOptions(
          splits,
          durability,
          syncInterval,
          inlineLimit,
          tablePairs,
          tableBytes,
          cacheBytes,
          writeWait,
          snapshotAge,
          spaceAmplification);
    }
  }
}
