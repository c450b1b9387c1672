// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.base.Health;
import io.verbena.kv.store.base.Health.BrokenException;
import io.verbena.kv.store.disk.Disk;
import io.verbena.kv.store.disk.DiskFullException;
import io.verbena.kv.store.disk.Segments;
import io.verbena.kv.store.index.TreeInfo;
import io.verbena.kv.store.log.LogSegment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a region consists of, in memory and as its manifest. The manifest has a change before
 * anything is done that relies on it: a file goes once no manifest names it any more.
 */
final class Catalog {
  /** The epoch is the high bits of numbers, which stay positive. */
  static final int MAX_EPOCH = (1 << Long.SIZE - 1 - Segments.COUNTER_BITS) - 1;

  private final Disk disk;
  private final Segments logFiles;
  private final Segments indexFiles;
  private final Health health;
  private final ReentrantLock commits = new ReentrantLock(); // held while a manifest is written
  private volatile Manifest manifest; // changed under commits
  private List<LogSegment> logs; // guarded by this, as the next ones
  private volatile boolean begun; // changed under commits
  private @Nullable BrokenException syncFailure; // of what was recovered; guarded by commits
  private final AtomicLong counter = new AtomicLong();
  private final Set<Long> unreadable = new HashSet<>();
  private final Map<Long, Long> moved =
      new HashMap<>(); // segment to the sequence number behind its moves

  /**
   * @param logs the segments that recovery has found, all with their lengths
   */
  Catalog(
      Disk disk,
      Segments logFiles,
      Segments indexFiles,
      Health health,
      Manifest manifest,
      List<LogSegment> logs) {
    this.disk = disk;
    this.logFiles = logFiles;
    this.indexFiles = indexFiles;
    this.health = health;
    this.manifest = manifest;
    this.logs = new ArrayList<>(logs);
  }

  synchronized List<LogSegment> logs() {
    return List.copyOf(logs);
  }

  /**
   * Begins the life of the region, before its first change: what was recovered is made durable,
   * what does not count is removed, and the manifest says the new epoch and all that counts.
   */
  void begin() throws IOException {
    if (!begun) {
      commits.lock();
      try {
        beginOnce();
      } finally {
        commits.unlock();
      }
    }
  }

  private void beginOnce() throws IOException {
    if (begun) {
      return;
    }
    if (manifest.epoch() == MAX_EPOCH) {
      throw new IOException(
          disk.describe("")
              + " has been written in "
              + MAX_EPOCH
              + " lives, which is the limit: export the store, and import it into a new one");
    }
    syncRecovered(unstored());
    removeUnnamed(); // first, as a full disk may have no room for a manifest otherwise
    write(manifest.epoch() + 1, manifest.replayed(), manifest.trees(), logs());
    begun = true;
  }

  /** Makes durable what was recovered, where nothing was changed since that has. */
  void syncRecovered() throws IOException {
    commits.lock();
    try {
      List<LogSegment> unstored = begun ? List.of() : unstored();
      if (!unstored.isEmpty()) {
        syncRecovered(unstored);
      }
    } finally {
      commits.unlock();
    }
  }

  /** Those that no manifest calls stored. */
  private List<LogSegment> unstored() {
    Set<Long> stored = new HashSet<>();
    manifest.logs().stream()
        .filter(segment -> !segment.isOpen())
        .forEach(segment -> stored.add(segment.number()));
    return logs().stream().filter(segment -> !stored.contains(segment.number())).toList();
  }

  /**
   * Syncs these segments and all names: a process that was killed may have left names that a crash
   * would undo. A second sync after one that failed would tell nothing.
   */
  private void syncRecovered(List<LogSegment> unstored) throws IOException {
    if (syncFailure != null) {
      throw new BrokenException(syncFailure);
    }
    try {
      for (LogSegment segment : unstored) {
        logFiles.get(segment.number()).sync();
      }
      logFiles.syncNames();
    } catch (IOException e) {
      syncFailure = health.breakDown(e);
      throw syncFailure;
    }
  }

  /** {@link #begin}s if the log has what no tree has. */
  void keepRecovered() throws IOException {
    List<LogSegment> logs = logs();
    if (!logs.isEmpty() && logs.getLast().lastSequence() > manifest.replayed()) {
      begin();
    }
  }

  private void removeUnnamed() throws IOException {
    Set<Long> named = new HashSet<>();
    logs().forEach(segment -> named.add(segment.number()));
    for (TreeInfo tree : manifest.trees()) {
      for (long segment : tree.segments()) {
        named.add(segment);
      }
    }
    for (Segments files : List.of(logFiles, indexFiles)) {
      for (long number : files.list()) {
        if (!named.contains(number)) {
          files.delete(number);
        }
      }
    }
  }

  /** A number that no segment of the region has had, in any life. */
  long newNumber() throws IOException {
    begin();
    return (long) manifest.epoch() << Segments.COUNTER_BITS | counter.incrementAndGet();
  }

  /** The log goes on in another segment. The one before is complete. */
  synchronized void begunLog(long number, long previous, int previousUsed, long previousLast) {
    if (!logs.isEmpty() && logs.getLast().number() == previous && logs.getLast().isOpen()) {
      logs.add(logs.removeLast().closed(previousUsed, previousLast));
    }
    logs.add(LogSegment.begun(number, previousLast));
  }

  /**
   * Makes a change of the trees count. Says which segments of the log nobody needs any more.
   *
   * @param oldest the first sequence number at which somebody may read
   * @param durable the log is stored up to here
   */
  List<Long> commit(List<TreeInfo> trees, long replayed, LiveBytes live, long oldest, long durable)
      throws IOException {
    commits.lock();
    try {
      beginOnce();
      List<LogSegment> kept = new ArrayList<>();
      Set<Long> retired = new HashSet<>();
      for (LogSegment segment : logs()) {
        LogSegment changed = segment.withLive(segment.live() + live.of(segment.number()));
        if (isDead(changed, replayed) || isMoved(changed, Math.min(replayed, oldest))) {
          retired.add(segment.number());
        } else {
          kept.add(changed);
        }
      }
      write(manifest.epoch(), replayed, trees, named(kept, durable));
      change(live, retired);
      return List.copyOf(retired);
    } finally {
      commits.unlock();
    }
  }

  /** Does to the segments, of which some may have been begun meanwhile, what the manifest says. */
  private synchronized void change(LiveBytes live, Set<Long> retired) {
    logs.removeIf(segment -> retired.contains(segment.number()));
    logs.replaceAll(segment -> segment.withLive(segment.live() + live.of(segment.number())));
    retired.forEach(moved::remove);
    unreadable.removeAll(retired);
  }

  /**
   * What a manifest may say of the log: segments that are stored whole, and the one in which that
   * ends, as open. Those behind it are found by their headers.
   */
  private static List<LogSegment> named(List<LogSegment> segments, long durable) {
    List<LogSegment> named = new ArrayList<>();
    for (LogSegment segment : segments) {
      boolean whole = !segment.isOpen() && segment.lastSequence() <= durable;
      named.add(whole ? segment : segment.opened(durable));
      if (!whole) {
        break;
      }
    }
    return named;
  }

  private static boolean isDead(LogSegment segment, long replayed) {
    return !segment.isOpen() && segment.lastSequence() <= replayed && segment.live() == 0;
  }

  /** Whether trees have the moves, and nobody reads at a number before them. */
  private synchronized boolean isMoved(LogSegment segment, long upTo) {
    return moved.getOrDefault(segment.number(), Long.MAX_VALUE) <= upTo;
  }

  /** All that was live in a segment has been written again, up to a sequence number. */
  synchronized void moved(long segment, long sequence) {
    if (logs.stream().anyMatch(each -> each.number() == segment)) { // it may have gone by itself
      moved.put(segment, sequence);
    }
  }

  /** A segment that cannot be read whole stays: single values of it can be read. */
  synchronized void leaveAlone(long segment) {
    unreadable.add(segment);
  }

  /** Whether segments wait for a flush that brings their moves into a tree. */
  synchronized boolean waitsForFlush() {
    return moved.values().stream().anyMatch(sequence -> sequence > manifest.replayed());
  }

  /**
   * The segment of the log to free next: the one with the least live bytes, if all those that trees
   * have take more than the live bytes in them times a limit, and some slack. While as much as that
   * waits for snapshots to end, nothing more is moved.
   */
  synchronized @Nullable LogSegment toCollect(double limit, long slackBytes) {
    long used = 0;
    long live = 0;
    long waiting = 0;
    LogSegment least = null;
    for (LogSegment segment : logs) {
      if (moved.containsKey(segment.number())) {
        waiting += segment.used();
        continue;
      }
      if (segment.isOpen()
          || segment.lastSequence() > manifest.replayed()
          || unreadable.contains(segment.number())) {
        continue;
      }
      used += segment.used();
      live += segment.live();
      if (least == null
          || segment.live() * (double) least.used() < least.live() * (double) segment.used()) {
        least = segment;
      }
    }
    boolean due =
        used > limit * live + slackBytes && waiting <= (limit - 1) * live + 4 * slackBytes;
    return due && least != null && least.used() > limit * least.live() ? least : null;
  }

  /** Says that the log ends here, after all of it was made durable. */
  void end(int used, long lastSequence) throws IOException {
    commits.lock();
    try {
      boolean isOpen;
      synchronized (this) {
        isOpen = !logs.isEmpty() && logs.getLast().isOpen();
        if (isOpen) {
          logs.add(logs.removeLast().closed(used, lastSequence));
        }
      }
      if (isOpen) {
        write(manifest.epoch(), manifest.replayed(), manifest.trees(), logs());
      }
    } finally {
      commits.unlock();
    }
  }

  private void write(int epoch, long replayed, List<TreeInfo> trees, List<LogSegment> named)
      throws IOException {
    long lastLog = named.isEmpty() ? 0 : named.getLast().number();
    if (named.isEmpty() || !named.getLast().isOpen()) {
      lastLog = Math.max(lastLog, manifest.lastLog()); // of those that went, too
    }
    Manifest next =
        new Manifest(
            manifest.region(),
            manifest.from(),
            manifest.to(),
            epoch,
            replayed,
            lastLog,
            List.copyOf(trees),
            List.copyOf(named));
    health.check();
    try {
      next.write(disk);
    } catch (DiskFullException e) {
      throw e; // the last manifest still counts
    } catch (IOException e) {
      health.breakDown(e);
      throw e;
    }
    manifest = next;
  }
}
