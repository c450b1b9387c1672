// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import static java.lang.System.Logger.Level.WARNING;

import io.verbena.kv.store.base.Health;
import io.verbena.kv.store.base.Planted;
import io.verbena.kv.store.disk.DiskFile;
import io.verbena.kv.store.disk.DiskFullException;
import io.verbena.kv.store.disk.Segments;
import io.verbena.kv.store.index.BlockCache;
import io.verbena.kv.store.index.Cursor;
import io.verbena.kv.store.index.MemoryTable;
import io.verbena.kv.store.index.Merge;
import io.verbena.kv.store.index.SegmentSink;
import io.verbena.kv.store.index.Tree;
import io.verbena.kv.store.index.TreeInfo;
import io.verbena.kv.store.index.TreeScanner;
import io.verbena.kv.store.index.TreeWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes trees: of tables in memory, and of trees. A tree is a stream of segments, each stored when
 * it is finished, and one commit behind them. A tree that is not committed leaves nothing but files
 * that no manifest names.
 */
final class Upkeep {
  private final int region;
  private final Catalog catalog;
  private final View.Chain views;
  private final Segments logFiles;
  private final Segments indexFiles;
  private final BlockCache cache;
  private final Snapshots snapshots;
  private final Health health;
  private final long tablePairs;
  private final LongSupplier durable;
  private final BooleanSupplier stopping;
  private final Executor remover;
  private boolean compactionWaits; // guarded by this, as the next ones
  private final Set<Tree> busy = new HashSet<>();
  private final Set<Tree> compacted = new HashSet<>();
  private final List<Runnable> held = new ArrayList<>(); // guarded by itself, as the next one
  private int holders;
  final LongAdder flushes = new LongAdder();
  final LongAdder merges = new LongAdder();
  final LongAdder indexBytesWritten = new LongAdder();

  Upkeep(
      int region,
      Catalog catalog,
      View.Chain views,
      Segments logFiles,
      Segments indexFiles,
      BlockCache cache,
      Snapshots snapshots,
      Health health,
      long tablePairs,
      LongSupplier durable,
      BooleanSupplier stopping,
      Executor remover) {
    this.region = region;
    this.catalog = catalog;
    this.views = views;
    this.logFiles = logFiles;
    this.indexFiles = indexFiles;
    this.cache = cache;
    this.snapshots = snapshots;
    this.health = health;
    this.tablePairs = tablePairs;
    this.durable = durable;
    this.stopping = stopping;
    this.remover = remover;
  }

  /**
   * Makes the oldest table, which nobody adds to any more, a tree.
   *
   * @param lastSequence of its last entry; the log is durable up to there
   * @param done given the table when nobody reads it any more
   */
  void flush(MemoryTable table, long lastSequence, Consumer<MemoryTable> done) throws IOException {
    Events.Made event = new Events.Made();
    event.begin();
    LiveBytes live = new LiveBytes();
    Cursor entries = table.cursor();
    boolean any = entries.seek(MemorySegment.NULL, 0, 0, -1L);
    boolean lowest = views.peek().trees.isEmpty();
    int pairs = table.pairs(); // it may be another one's when this is done
    TreeInfo made = write(1, pairs, entries, any, lowest, live, false);
    List<Tree> tree = made.entries() == 0 ? List.of() : List.of(open(made));
    synchronized (this) {
      List<Tree> after = new ArrayList<>(tree);
      after.addAll(views.peek().trees);
      commit(
          made,
          after,
          lastSequence,
          live,
          old -> without(old, table),
          List.of(),
          () -> done.accept(table));
    }
    tell(event, 0, pairs, made);
  }

  private View without(View view, MemoryTable flushed) {
    flushes.increment();
    return view.withTables(view.tables.stream().filter(each -> each != flushed).toList());
  }

  private Tree open(TreeInfo info) {
    return new Tree(info, indexFiles, cache);
  }

  /**
   * What may be merged now; null if nothing is due. The caller merges it. While a compaction waits
   * for merges, that is only what flushes wait for.
   */
  synchronized @Nullable List<Tree> nextMerge() {
    if (compactionWaits && !isCrowded()) {
      return null;
    }
    List<Tree> trees = views.peek().trees;
    Levels.Window window = Levels.next(trees, busy, tablePairs);
    return window == null ? null : take(trees.subList(window.from(), window.to()));
  }

  /**
   * All trees, if none of them is being merged. The caller merges them. Otherwise null, and no
   * other merge is begun until this is asked again, unless flushes wait for one.
   */
  synchronized @Nullable List<Tree> takeAll() {
    compactionWaits = !busy.isEmpty();
    if (compactionWaits) {
      return null;
    }
    compacted.addAll(views.peek().trees);
    return take(views.peek().trees);
  }

  /** Whether tables wait for merges. A compaction may take long, so they do not wait for it. */
  synchronized boolean isCrowded() {
    List<Tree> others = new ArrayList<>(views.peek().trees);
    others.removeAll(compacted);
    return Levels.isCrowded(others);
  }

  private List<Tree> take(List<Tree> window) {
    List<Tree> taken = List.copyOf(window);
    busy.addAll(taken);
    return taken;
  }

  /** Makes one tree of several that follow each other. */
  void merge(List<Tree> window) throws IOException {
    if (window.isEmpty()) {
      return;
    }
    Events.Made event = new Events.Made();
    event.begin();
    List<TreeScanner> sources = new ArrayList<>();
    try {
      window.forEach(tree -> sources.add(tree.scanner()));
      long keys = window.stream().mapToLong(tree -> tree.info().entries()).sum();
      boolean lowest = window.getLast() == views.peek().trees.getLast();
      LiveBytes live = new LiveBytes();
      Merge entries = new Merge(sources);
      TreeInfo made =
          write(
              Levels.levelOf(keys, tablePairs), keys, entries, entries.first(), lowest, live, true);
      replace(window, made, live);
      merges.increment();
      tell(event, window.size(), keys, made);
    } finally {
      sources.forEach(TreeScanner::close);
      synchronized (this) {
        window.forEach(busy::remove);
        window.forEach(compacted::remove);
      }
    }
  }

  private void tell(Events.Made event, int trees, long before, TreeInfo made) {
    event.end();
    if (event.shouldCommit()) {
      event.region = region;
      event.trees = trees;
      event.before = before;
      event.after = made.entries();
      event.bytes = made.bytes();
      event.commit();
    }
  }

  private synchronized void replace(List<Tree> window, TreeInfo made, LiveBytes live)
      throws IOException {
    List<Tree> after = new ArrayList<>(views.peek().trees);
    int at = after.indexOf(window.getFirst());
    after.subList(at, at + window.size()).clear();
    if (made.entries() > 0) {
      after.add(at, open(made));
    }
    commit(made, after, views.peek().replayed, live, old -> old, window, () -> {});
  }

  /**
   * Writes what is to be kept of some entries. @param counted whether the log's live bytes include
   * them
   */
  private TreeInfo write(
      int level,
      long keys,
      Cursor entries,
      boolean any,
      boolean lowest,
      LiveBytes live,
      boolean counted)
      throws IOException {
    Retention retention = new Retention(snapshots.sequences(), lowest);
    Files files = new Files();
    boolean good = false;
    try (TreeWriter writer = new TreeWriter(files, level, keys)) {
      for (boolean more = any; more; more = entries.next()) {
        if (stopping.getAsBoolean()) {
          throw new ClosedException();
        }
        if (retention.keeps(entries)) {
          writer.add(entries);
          if (!counted) {
            live.add(entries);
          }
        } else if (counted) {
          live.remove(entries);
        }
      }
      TreeInfo made = writer.finish();
      indexFiles.syncNames();
      good = true;
      return made;
    } catch (DiskFullException | ClosedException e) {
      throw e;
    } catch (IOException e) {
      health.breakDown(e);
      throw e;
    } finally {
      if (!good) {
        files.finished.forEach(number -> remove(indexFiles, number)); // no manifest names them
      }
    }
  }

  private void commit(
      TreeInfo made,
      List<Tree> trees,
      long replayed,
      LiveBytes live,
      UnaryOperator<View> others,
      List<Tree> dropped,
      Runnable done)
      throws IOException {
    long[] snapshot = snapshots.sequences();
    boolean none = snapshot.length == 0 || Planted.FREED_UNDER_SNAPSHOT.here();
    long oldest = none ? Long.MAX_VALUE : snapshot[0];
    List<TreeInfo> infos = trees.stream().map(Tree::info).toList();
    List<Long> retired;
    try {
      retired = catalog.commit(infos, replayed, live, oldest, durable.getAsLong());
    } catch (DiskFullException e) { // the manifest before still counts
      for (long number : made.segments()) {
        remove(indexFiles, number);
      }
      throw e;
    }
    views.replace(
        old -> others.apply(old).withTrees(trees, replayed),
        () -> {
          done.run();
          removeLater(() -> removeAll(retired, dropped));
        });
  }

  /** Keeps files that nobody needs any more until {@link #releaseFiles}. */
  void holdFiles() {
    synchronized (held) {
      holders++;
    }
  }

  void releaseFiles() {
    List<Runnable> now = new ArrayList<>();
    synchronized (held) {
      if (--holders == 0) {
        now.addAll(held);
        held.clear();
      }
    }
    now.forEach(remover::execute);
  }

  /** Not here, nor under a lock that is held for long: this may be a thread that reads. */
  private void removeLater(Runnable removal) {
    synchronized (held) {
      if (holders > 0) {
        held.add(removal);
        return;
      }
    }
    remover.execute(removal);
  }

  private void removeAll(List<Long> logs, List<Tree> trees) {
    logs.forEach(number -> remove(logFiles, number));
    for (Tree tree : trees) {
      for (long number : tree.info().segments()) {
        remove(indexFiles, number);
      }
    }
  }

  /** A file that cannot be removed takes space until the next start. */
  private static void remove(Segments files, long number) {
    try {
      files.delete(number);
    } catch (IOException e) {
      System.getLogger("io.verbena.kv.store")
          .log(WARNING, "cannot remove {0}: {1}", files.describe(number), e.getMessage());
    }
  }

  /** Stores the segments of a tree, each when it is finished. */
  private final class Files implements SegmentSink {
    private final List<Long> finished = new ArrayList<>();

    @Override
    public long newNumber() throws IOException {
      return catalog.newNumber();
    }

    @Override
    public void finished(long number, MemorySegment bytes) throws IOException {
      finished.add(number);
      DiskFile file = indexFiles.create(number);
      file.write(0, bytes.asByteBuffer());
      if (!Planted.ROOT_BEFORE_SEGMENTS.here()) {
        file.sync();
      }
      indexBytesWritten.add(bytes.byteSize());
    }
  }
}
