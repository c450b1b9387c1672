// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static io.verbena.kv.store.CountedValue.key;
import static io.verbena.kv.store.Crew.await;
import static io.verbena.kv.store.Crew.platform;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.kv.store.disk.Disk;
import io.verbena.kv.store.disk.Segments;
import io.verbena.kv.store.region.RegionEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Flushes, merges and compactions beside each other and beside writes. */
@Tag("timing")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class StoreUpkeepTest {
  private final Crew crew = new Crew(0);
  private final GatedDisk.Gate gate = new GatedDisk.Gate();
  private final SimulatedDisk disk = new SimulatedDisk();

  private static StoreOptions options(int tablePairs) {
    return StoreOptions.defaults()
        .withDurability(Durability.MEMORY)
        .withTables(tablePairs, 4 << 20)
        .withCacheBytes(1 << 20);
  }

  private Store open(StoreOptions options) {
    return Store.open(new GatedDisk(disk, gate), options, Background.threads(options));
  }

  private static void write(Store store, int from, int to) {
    for (int i = from; i < to; i++) {
      store.put(key(i), CountedValue.of(i, i));
    }
  }

  /** More tables are filled meanwhile than there may be trees of them beside other merges. */
  @Test
  void writesGoOnDuringACompactionAndAfterIt() throws Exception {
    try (Store store = open(options(16).withWriteWait(Duration.ofSeconds(20)));
        AutoCloseable opening = gate.open::countDown) {
      write(store, 0, 200);
      store.flush();
      await("no merge is due", () -> store.stats().trees() < 4);
      gate.heldName = ".index.write";
      crew.work(platform(), store::compact);
      gate.held.await();
      write(store, 200, 1000);
      gate.open.countDown();
      crew.await();
      write(store, 1000, 2000);
      store.flush();
      for (int i = 0; i < 2000; i++) {
        assertThat(store.get(key(i))).isEqualTo(CountedValue.of(i, i));
      }
    }
  }

  /** It waits for a merge that takes long, and takes long itself. */
  @Test
  void writesGoOnWhileACompactionWaitsForAMergeAndDuringIt() throws Exception {
    GatedDisk.Gate later = new GatedDisk.Gate();
    later.heldThread = "compacting";
    later.heldName = ".index.write";
    StoreOptions options = options(16).withWriteWait(Duration.ofSeconds(20));
    Disk gated = new GatedDisk(new GatedDisk(disk, gate), later);
    try (Store store = Store.open(gated, options, Background.threads(options));
        AutoCloseable first = gate.open::countDown;
        AutoCloseable second = later.open::countDown) {
      gate.heldThread = "verbena-kv-merge";
      gate.heldName = ".index.write";
      write(store, 0, 80);
      gate.held.await();
      store.flush();
      Thread compacting = crew.work(platform().name(later.heldThread), store::compact);
      await("it waits", () -> compacting.getState() == Thread.State.TIMED_WAITING);
      write(store, 80, 600);
      gate.open.countDown();
      later.held.await();
      write(store, 600, 1000);
      later.open.countDown();
      crew.await();
      store.flush();
      for (int i = 0; i < 1000; i++) {
        assertThat(store.get(key(i))).isEqualTo(CountedValue.of(i, i));
      }
    }
  }

  /** A flush makes the log durable up to the end of a segment while the next one is begun. */
  @Test
  void aSegmentThatIsDurableWhenTheNextOneIsBegunGoesWithoutHarm() throws Exception {
    int pairs = 5000;
    StoreOptions options = options(pairs);
    AtomicReference<Executor> flusher = new AtomicReference<>();
    CountDownLatch over = new CountDownLatch(1);
    Background threads = Background.threads(options);
    Background background =
        new WithFlusher(
            threads,
            work -> {
              threads.flusher().execute(() -> flush(work, over));
              flusher.get().execute(work);
            });
    flusher.set(work -> {});
    try (Store store = Store.open(new GatedDisk(disk, gate), options, background);
        AutoCloseable opening = gate.open::countDown) {
      store.write(fullTable(pairs));
      gate.heldName = ".log.sync";
      flusher.set(
          work ->
              await( // the sync has looked which files there are
                  "the flush syncs, or is over",
                  () -> gate.held.getCount() == 0 || over.getCount() == 0));
      store.write(fullTable(pairs)); // this fills the rest of the segment, and begins another one
      flusher.set(work -> {});
      assertThat(gate.held.getCount()).as("syncs to come").isZero();
      gate.open.countDown();
      await("the first table is a tree", () -> store.stats().flushes() == 1);
      await("its log has gone", () -> logs() == 1);
      store.sync();
      store.write(fullTable(pairs));
    }
  }

  /** Writers would wait while its memory is cleared. */
  @Test
  void theNextTableIsMadeBeforeOneIsFull() {
    StoreOptions options = options(16).withTables(40_000, 64 << 20);
    List<Runnable> queued = new ArrayList<>();
    Background background = new WithFlusher(Background.threads(options), queued::add);
    try (Store store = Store.open(disk, options, background)) {
      int before = queued.size();
      while (queued.size() == before) {
        store.write(fullTable(5000)); // each is more than half a segment of the log
      }
      assertThat(store.stats().tableEntries()).isBetween(20_000L, 35_000L);
      queued.getLast().run();
      while (store.stats().tableEntries() < 40_000) {
        store.write(fullTable(5000));
      }
      assertThat(queued).hasSize(before + 1);
    }
  }

  /** Flushes by an executor of its own. */
  private record WithFlusher(Background threads, Executor flusher) implements Background {
    @Override
    public Executor merger() {
      return threads.merger();
    }

    @Override
    public Executor collector() {
      return threads.collector();
    }

    @Override
    public void begin(List<RegionEngine> regions) {
      threads.begin(regions);
    }

    @Override
    public void end() {
      threads.end();
    }
  }

  private static Batch fullTable(int pairs) {
    Batch batch = new Batch();
    for (int i = 0; i < pairs; i++) {
      batch.put(key(i), new byte[200]);
    }
    return batch;
  }

  private static void flush(Runnable work, CountDownLatch over) {
    try {
      work.run();
    } finally {
      over.countDown();
    }
  }

  private long logs() {
    try {
      return disk.folder("region-0").list().stream().filter(name -> name.endsWith(".log")).count();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** {@code writeWait} is for writes. */
  @Test
  void aFlushTakesItsTime() throws Exception {
    Duration writeWait = Duration.ofMillis(20);
    try (Store store = open(options(1000).withWriteWait(writeWait));
        AutoCloseable opening = gate.open::countDown) {
      write(store, 0, 500);
      gate.heldName = ".index.write";
      crew.work(platform(), store::flush);
      gate.held.await();
      long held = System.nanoTime();
      await("more than writeWait", () -> System.nanoTime() - held > 5 * writeWait.toNanos());
      gate.open.countDown();
      crew.await();
      assertThat(store.stats().flushes()).isEqualTo(1);
    }
  }

  /** The kernel takes long to delete a file, and a log that begins its next segment would wait. */
  @Test
  void aSegmentBeginsWhileAnotherOneIsDeleted() throws Exception {
    try (Segments segments = new Segments(new GatedDisk(disk, gate), ".log", Disk.Access.LOG);
        AutoCloseable opening = gate.open::countDown) {
      segments.create(1);
      gate.heldName = segments.name(1);
      crew.work(platform(), () -> segments.delete(1));
      gate.held.await();
      assertThat(crew.work(platform(), () -> segments.create(2)).join(Crew.BOUND)).isTrue();
      gate.open.countDown();
      crew.await();
      assertThat(segments.list()).containsExactly(2);
    }
  }
}
