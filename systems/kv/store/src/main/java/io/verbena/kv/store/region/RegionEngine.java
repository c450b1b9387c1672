// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.base.Damage;
import io.verbena.kv.store.base.Health;
import io.verbena.kv.store.base.Planted;
import io.verbena.kv.store.disk.Disk;
import io.verbena.kv.store.disk.Disk.Access;
import io.verbena.kv.store.disk.Segments;
import io.verbena.kv.store.index.BlockCache;
import io.verbena.kv.store.index.Entry;
import io.verbena.kv.store.index.Found;
import io.verbena.kv.store.index.MemoryTable;
import io.verbena.kv.store.index.Tree;
import io.verbena.kv.store.log.Log;
import io.verbena.kv.store.log.LogSegment;
import io.verbena.kv.store.log.Operation;
import io.verbena.kv.store.log.Recovery;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A region: the keys from one to before another, with a log, tables, trees and a manifest of their
 * own. Any number of threads read and write.
 *
 * <p>A write is a record of the log first. The thread that writes it out applies it to the active
 * table. A full table becomes a tree in the background, and the first of its entries that a reader
 * meets, from the newest table to the oldest tree, is the newest state of its key.
 */
public final class RegionEngine implements AutoCloseable {
  /**
   * Sequence numbers of a life begin with its epoch, in front of so many bits: a crash of the host
   * may have taken the last ones of the life before, which somebody was told.
   */
  private static final int LIFE_BITS = 32;

  /** Garbage in the log of less than this part of a table's memory is not worth the work. */
  private static final int SLACK = 16;

  /** A table is flushed when the log of its writes takes so many times its memory. */
  private static final int LOG_FOR_TABLE = 4;

  private final Settings settings;
  private final int number;
  private final Health health = new Health();
  private final Segments logFiles;
  private final Segments indexFiles;
  private final Catalog catalog;
  private final View.Chain views;
  private final Snapshots snapshots;
  private final Upkeep upkeep;
  private final Log log;
  private final Condition changed;
  private final Housekeeping housekeeping;
  private final Room room;
  private final Tables tables;
  private final Space space;
  private final Reader reader;
  private final Writer writer;
  private final ReentrantReadWriteLock verification = new ReentrantReadWriteLock();
  private final @Nullable String cut;
  private volatile boolean closed;

  /** Makes an empty region in a folder. */
  public static void create(Disk disk, int region, byte[] from, byte[] to) throws IOException {
    new Manifest(region, from, to, 0, 0, 0, List.of(), List.of()).write(disk);
  }

  /** Whether a folder holds a region that was made and never written, or not even that. */
  public static boolean isNew(Disk disk) throws IOException {
    List<String> files = disk.list();
    return !files.contains(Manifest.NAME)
        ? files.stream().allMatch(name -> name.equals(Manifest.NEW_NAME))
        : Manifest.read(disk).epoch() == 0;
  }

  /** Opens a region, and applies again what its log has and its trees have not. */
  public RegionEngine(
      Disk disk,
      int region,
      Settings settings,
      BlockCache cache,
      Executor flusher,
      Executor merger,
      Executor collectors)
      throws IOException {
    this.settings = settings;
    Manifest manifest = Manifest.read(disk);
    number = region;
    if (manifest.region() != region) {
      throw new Damage(
          disk.describe(Manifest.NAME),
          0,
          "this is the manifest of region "
              + manifest.region()
              + "; region "
              + region
              + " is lost");
    }
    logFiles = new Segments(disk, ".log", Access.LOG);
    indexFiles = new Segments(disk, ".index", Access.DIRECT);
    List<Tree> trees =
        manifest.trees().stream().map(info -> new Tree(info, indexFiles, cache)).toList();
    tables = new Tables(settings, trees, manifest.replayed());
    views = tables.views();
    Recovery recovery =
        new Recovery(
            logFiles, manifest.region(), manifest.epoch(), replayFrom(manifest), tables::replay);
    try {
      recovery.run(manifest.logs(), manifest.lastLog());
    } catch (IOException | RuntimeException e) {
      views.peek().tables.forEach(MemoryTable::close);
      logFiles.close();
      throw e;
    }
    tables.endReplay();
    cut = recovery.cut();
    catalog = new Catalog(disk, logFiles, indexFiles, health, manifest, recovery.segments());
    snapshots = new Snapshots(System::nanoTime, settings.snapshotAge().toNanos());
    upkeep =
        new Upkeep(
            region,
            catalog,
            views,
            logFiles,
            indexFiles,
            cache,
            snapshots,
            health,
            settings.tablePairs(),
            this::durable,
            () -> closed,
            collectors);
    space = new Space(disk, this::largestUpkeepBytes);
    long last = recovery.lastSequence();
    log =
        new Log(
            logFiles,
            manifest.region(),
            health,
            new Written(),
            lastLog(manifest, recovery),
            recovery.segments().isEmpty() ? 0 : recovery.segments().getLast().used(),
            last,
            Math.max(
                last == 0 ? 0 : last + (1L << LIFE_BITS), (manifest.epoch() + 1L) << LIFE_BITS));
    changed = log.appendLock().newCondition();
    housekeeping =
        new Housekeeping(
            upkeep,
            new Collector(this, catalog, logFiles, settings.tablePairs()),
            catalog,
            views,
            log,
            health,
            changed,
            new Housekeeping.Region() {
              @Override
              public boolean isClosed() {
                return closed;
              }

              @Override
              public void recycle(MemoryTable table) {
                tables.recycle(table);
              }

              @Override
              public void prepareTable() {
                tables.prepareNext();
              }

              @Override
              public void clearUsedTable() {
                tables.clearUsed();
              }

              @Override
              public void changeTable() throws IOException {
                changeTableIfFree();
              }
            },
            flusher,
            merger,
            collectors);
    room =
        new Room(
            region,
            tables,
            views,
            log,
            health,
            housekeeping,
            changed,
            LOG_FOR_TABLE * settings.tableBytes(),
            settings.writeWait(),
            this::checkOpen);
    reader = new Reader(views, logFiles, log);
    writer = new Writer(log, reader, room, space, settings.waitsForDisk(), this::checkOpen);
    if (settings.waitsForDisk()) {
      keepRecovered();
    }
    housekeeping.startFlush();
    housekeeping.startMerge();
  }

  /**
   * Recovered writes may never have been synced; a store that promises durability shows nothing
   * else.
   */
  private void keepRecovered() {
    try {
      catalog.keepRecovered();
    } catch (IOException e) {
      housekeeping.noteFailure(e); // it can be read all the same
    }
  }

  /** What upkeep may need at once: all trees anew, and the tables. */
  private long largestUpkeepBytes() {
    long trees = views.peek().trees.stream().mapToLong(tree -> tree.info().bytes()).sum();
    long tables = views.peek().tables.stream().mapToLong(MemoryTable::usedBytes).sum();
    return trees + 2 * tables;
  }

  private long durable() {
    return log.durable();
  }

  private static long replayFrom(Manifest manifest) {
    return manifest.replayed() + (Planted.REPLAY_TOO_LATE.here() ? 1 : 0);
  }

  private static long lastLog(Manifest manifest, Recovery recovery) {
    long found = recovery.segments().isEmpty() ? 0 : recovery.segments().getLast().number();
    return Math.max(found, manifest.lastLog());
  }

  int number() {
    return number;
  }

  /** What the last start has cut off the log, as it was not written whole; null if nothing was. */
  public @Nullable String cut() {
    return cut;
  }

  // ---- writing

  /**
   * Writes operations as one.
   *
   * @param expected the version that the key of a single one must have, 0 for none at all, or -1
   *     for any
   * @return the version of the last one; 0 if the key has another version than the expected one
   */
  public long write(Write write, long expected) throws IOException {
    return writer.write(write, expected);
  }

  Writer writer() {
    return writer;
  }

  long appliedSequence() {
    return log.applied();
  }

  /** What the log tells: operations that are written, segments that are begun. */
  private final class Written implements Log.Listener {
    @Override
    public void operation(Operation operation) {
      tables.apply(operation);
    }

    @Override
    public long newNumber() throws IOException {
      return catalog.newNumber();
    }

    @Override
    public void begun(long number, long previous, int previousUsed, long previousLastSequence) {
      space.look();
      catalog.begunLog(number, previous, previousUsed, previousLastSequence);
      room.lookAhead();
    }
  }

  // ---- reading

  /** The sequence number up to which writes can be seen. */
  public long visible() {
    return settings.waitsForDisk() ? log.durable() : log.applied();
  }

  /**
   * Looks a key up, with its value.
   *
   * @param snapshot at which to look; null for now
   * @return whether the key is there
   */
  public boolean get(MemorySegment key, int length, Snapshots.@Nullable Held snapshot, Found found)
      throws IOException {
    View view = views.pin();
    try {
      checkOpen();
      // read after the view was pinned: no tree of it has a newer write
      long upTo = snapshot == null ? visible() : snapshot.sequence;
      if (!Reader.find(view, key, length, Entry.upTo(upTo), found)
          || found.kind() == Entry.TOMBSTONE) {
        return false;
      }
      reader.readValue(found);
      return true;
    } finally {
      view.unpin();
      if (snapshot != null) {
        checkThere(snapshot); // whatever was found: what it needs goes after it has gone
      }
    }
  }

  Reader reader() {
    return reader;
  }

  View.Chain views() {
    return views;
  }

  public Snapshots.Held snapshot() {
    return snapshots.take(this::visible);
  }

  public void release(Snapshots.Held snapshot) {
    snapshots.release(snapshot);
  }

  // ---- upkeep

  /** The segment of the log to free next; null if nothing is due. */
  @Nullable LogSegment nextToCollect() {
    return catalog.toCollect(settings.spaceAmplification(), settings.tableBytes() / SLACK);
  }

  private void changeTableIfFree() throws IOException {
    log.appendLock().lock();
    try {
      room.changeIfFree();
    } finally {
      log.appendLock().unlock();
    }
  }

  /** Returns when all that was written before is in trees. */
  public void flush() throws IOException {
    log.appendLock().lock();
    try {
      room.flushAll();
    } finally {
      log.appendLock().unlock();
    }
  }

  /** Returns when all that was written before is in one tree. */
  public void compact() throws IOException {
    flush();
    housekeeping.compact(this::checkOpen);
  }

  /** Makes durable what was written; called now and then where writes do not wait for it. */
  public void sync() throws IOException {
    log.appendLock().lock(); // so that it does not begin what is being closed
    try {
      checkOpen();
      catalog.keepRecovered();
    } finally {
      log.appendLock().unlock();
    }
    log.awaitDurable(log.applied());
  }

  /** {@link #sync}s where nobody hears of a failure: it ends writing. */
  public void syncInBackground() {
    try {
      sync();
    } catch (Throwable e) {
      housekeeping.noteFailure(e);
    }
  }

  /** Reads everything, and fails at the first thing that is not as it was written. */
  public void verify() throws IOException {
    verification.readLock().lock();
    upkeep.holdFiles();
    try {
      new Verification(this, logFiles).run(logSegments(), views.peek().trees);
    } finally {
      upkeep.releaseFiles();
      verification.readLock().unlock();
    }
  }

  /** The segments of the log with their lengths, as they are now. */
  private List<LogSegment> logSegments() throws IOException {
    log.appendLock().lock();
    try {
      checkOpen();
      log.drain();
      List<LogSegment> all = new ArrayList<>(catalog.logs());
      if (!all.isEmpty() && all.getLast().isOpen()) {
        all.add(all.removeLast().closed(log.used(), log.applied()));
      }
      return all;
    } finally {
      log.appendLock().unlock();
    }
  }

  /** What the region has done since it was opened, and what it holds. */
  public RegionStats stats() {
    View view = views.pin();
    try {
      List<LogSegment> logs = catalog.logs();
      return new RegionStats(
          view.tables.stream().mapToLong(MemoryTable::pairs).sum(),
          view.tables.stream().mapToLong(MemoryTable::usedBytes).sum(),
          view.trees.size(),
          view.trees.stream().mapToLong(tree -> tree.info().entries()).sum(),
          view.trees.stream().mapToLong(tree -> tree.info().bytes()).sum(),
          logs.stream().mapToLong(segment -> segment.isOpen() ? log.used() : segment.used()).sum(),
          logs.stream().mapToLong(LogSegment::live).sum(),
          snapshots.sequences().length,
          upkeep.flushes.sum(),
          upkeep.merges.sum(),
          writer.moves.sum(),
          room.stalls.sum(),
          room.stallNanos.sum(),
          log.bytesWritten(),
          upkeep.indexBytesWritten.sum());
    } finally {
      view.unpin();
    }
  }

  void checkThere(Snapshots.Held snapshot) throws IOException {
    if (snapshots.isGone(snapshot)) {
      throw Snapshots.isReleased(snapshot)
          ? SnapshotGoneException.closed()
          : SnapshotGoneException.old(settings.snapshotAge());
    }
  }

  void checkOpen() throws ClosedException {
    if (closed) {
      throw new ClosedException();
    }
  }

  /** Refuses calls from here on, and ends what takes long. */
  public void stop() {
    log.appendLock().lock();
    closed = true;
    changed.signalAll();
    log.appendLock().unlock();
    housekeeping.awaitCompaction();
    verification.writeLock().lock();
    verification.writeLock().unlock();
  }

  /**
   * Nothing runs in the background any more when this is called, once. Waits for calls that read.
   */
  @Override
  public void close() throws IOException {
    log.appendLock().lock();
    try {
      log.drain();
      catalog.syncRecovered();
      log.awaitDurable(log.applied());
      if (health.failure() == null) {
        catalog.end(log.used(), log.applied());
      }
    } finally {
      log.appendLock().unlock();
      free();
    }
  }

  private void free() throws IOException {
    CountDownLatch unread = new CountDownLatch(1);
    List<MemoryTable> tables = views.peek().tables;
    views.replace(
        old -> old.withTables(List.of()).withTrees(List.of(), old.replayed), unread::countDown);
    boolean interrupted = false;
    while (unread.getCount() > 0) {
      try {
        unread.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    tables.forEach(MemoryTable::close);
    this.tables.close();
    log.close();
    logFiles.close();
    indexFiles.close();
  }
}
