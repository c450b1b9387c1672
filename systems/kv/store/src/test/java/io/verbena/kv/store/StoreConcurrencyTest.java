// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static io.verbena.kv.store.CountedValue.key;
import static io.verbena.kv.store.CountedValue.numberOf;
import static io.verbena.kv.store.Crew.await;
import static io.verbena.kv.store.Crew.platform;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.kv.store.Crew.Work;
import io.verbena.kv.store.disk.Folder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads that write, read, scan, are interrupted, while tables and trees come and go. */
@Tag("timing")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class StoreConcurrencyTest {
  @TempDir private Path folder;

  private final long seed = Long.getLong("verbena.seed", System.nanoTime());
  private final Crew crew = new Crew(seed);

  static StoreOptions options() {
    return StoreOptions.defaults()
        .withDurability(Durability.MEMORY)
        .withTables(200, 4 << 20)
        .withCacheBytes(1 << 20)
        .withInlineLimit(50)
        .withSpaceAmplification(1.1);
  }

  // ---- readers beside writers

  private static final int WRITERS = 3;
  private static final int KEYS = 100; // of each writer
  private static final int COLD = 1000; // the first of keys that are written once

  @Test
  void readersSeeNoKeyGoBackWhileTablesAndTreesAndValuesMove() throws Exception {
    AtomicLongArray acknowledged = new AtomicLongArray(WRITERS * KEYS);
    long[] versions = new long[WRITERS * KEYS];
    try (Store store = Store.open(folder, options())) {
      for (int i = 0; i < 200; i++) {
        store.put(key(COLD + i), CountedValue.of(COLD + i, i));
      }
      for (int writer = 0; writer < WRITERS; writer++) {
        int first = writer * KEYS;
        crew.work(platform(), () -> writeOwnKeys(store, first, acknowledged, versions));
      }
      for (int i = 0; i < 2; i++) {
        long[] counters = new long[WRITERS * KEYS];
        long[] seen = new long[WRITERS * KEYS];
        Random random = new Random(seed + i);
        crew.watch(platform(), () -> readOne(store, random, acknowledged, counters, seen));
      }
      crew.watch(platform(), () -> scanAll(store, acknowledged));
      crew.await();
      await("a value moves", () -> makesMoves(store));
      assertThat(store.stats().merges()).as("merges").isPositive();
      compare(store, acknowledged, versions);
      store.verify();
    }
    try (Store store = Store.open(folder, options())) {
      compare(store, acknowledged, versions);
      store.verify();
    }
  }

  private static boolean makesMoves(Store store) {
    store.put(key(COLD), CountedValue.of(COLD, 0));
    store.flush();
    return store.stats().movedValues() > 0;
  }

  private void writeOwnKeys(Store store, int first, AtomicLongArray acknowledged, long[] versions) {
    Random random = new Random(seed ^ first);
    long last = 0;
    for (int i = 0; i < 6000 && crew.goesOn(); i++) {
      int key = first + random.nextInt(KEYS);
      long counter = acknowledged.get(key) + 1;
      long version = store.put(key(key), CountedValue.of(key, counter));
      assertThat(version).as("version of a later write").isGreaterThan(last);
      last = version;
      versions[key] = version;
      acknowledged.set(key, counter);
    }
  }

  private static void readOne(
      Store store, Random random, AtomicLongArray acknowledged, long[] counters, long[] versions) {
    int key = random.nextInt(acknowledged.length());
    long atLeast = Math.max(acknowledged.get(key), counters[key]);
    Versioned found = store.getVersioned(key(key));
    if (found == null) {
      assertThat(atLeast).as("acknowledged writes of a key that is not there").isZero();
      return;
    }
    long counter = CountedValue.counterOf(key, found.value());
    assertThat(counter).as("counter of key %d", key).isGreaterThanOrEqualTo(atLeast);
    if (counter == counters[key]) {
      assertThat(found.version()).as("version of the same write").isEqualTo(versions[key]);
    } else {
      assertThat(found.version()).as("version of a later write").isGreaterThan(versions[key]);
    }
    counters[key] = counter;
    versions[key] = found.version();
  }

  private static void scanAll(Store store, AtomicLongArray acknowledged) {
    long[] atLeast = new long[acknowledged.length()];
    Arrays.setAll(atLeast, acknowledged::get);
    int cold = 0;
    byte[] last = {};
    try (Scan scan = store.scan(new byte[0], null)) {
      while (scan.next()) {
        assertThat(Arrays.compareUnsigned(last, scan.key())).as("order of keys").isNegative();
        last = scan.key();
        int key = numberOf(scan.key());
        long counter = CountedValue.counterOf(key, scan.value());
        if (key >= COLD) {
          cold++;
        } else {
          assertThat(counter)
              .as("counter of key %d in a scan", key)
              .isGreaterThanOrEqualTo(atLeast[key]);
          atLeast[key] = 0;
        }
      }
    }
    assertThat(cold).as("keys that were there before the scan").isEqualTo(200);
    assertThat(atLeast).as("acknowledged writes of keys that a scan has left out").containsOnly(0);
  }

  private static void compare(Store store, AtomicLongArray acknowledged, long[] versions) {
    for (int key = 0; key < versions.length; key++) {
      Versioned found = store.getVersioned(key(key));
      if (acknowledged.get(key) == 0) {
        assertThat(found).isNull();
        continue;
      }
      assertThat(found).as("key %d", key).isNotNull();
      assertThat(CountedValue.counterOf(key, found.value())).isEqualTo(acknowledged.get(key));
      assertThat(found.version()).as("version of key %d", key).isEqualTo(versions[key]);
    }
    for (int i = 1; i < 200; i++) {
      assertThat(CountedValue.counterOf(COLD + i, store.get(key(COLD + i)))).isEqualTo(i);
    }
  }

  // ---- batches

  private static final int GROUPS = 40;
  private static final int MEMBERS = 5;

  private static int member(int group, int i) {
    return i * GROUPS + group;
  }

  @Test
  void scansAndSnapshotsSeeBatchesWholeOrNotAtAll() throws Exception {
    try (Store store = Store.open(folder, options())) {
      for (int writer = 0; writer < 2; writer++) {
        int own = writer;
        crew.work(platform(), () -> writeGroups(store, own));
      }
      crew.watch(platform(), () -> scanGroups(store));
      Random random = new Random(seed);
      crew.watch(platform(), () -> readGroup(store, random.nextInt(GROUPS)));
      crew.await();
      scanGroups(store);
      assertThat(store.stats().merges()).as("merges").isPositive();
      store.verify();
    }
    try (Store store = Store.open(folder, options())) {
      scanGroups(store);
    }
  }

  private void writeGroups(Store store, int own) {
    Random random = new Random(seed + own);
    Batch batch = new Batch();
    for (int number = 1; number <= 2500 && crew.goesOn(); number++) {
      int group = 2 * random.nextInt(GROUPS / 2) + own;
      boolean deletes = random.nextInt(10) == 0;
      batch.clear();
      for (int i = 0; i < MEMBERS; i++) {
        int key = member(group, i);
        if (deletes) {
          batch.delete(key(key));
        } else {
          batch.put(key(key), CountedValue.of(key, number));
        }
      }
      store.write(batch);
    }
  }

  private static void scanGroups(Store store) {
    long[] numbers = new long[GROUPS * MEMBERS];
    try (Scan scan = store.scan(new byte[0], null)) {
      while (scan.next()) {
        int key = numberOf(scan.key());
        numbers[key] = CountedValue.counterOf(key, scan.value());
      }
    }
    for (int group = 0; group < GROUPS; group++) {
      for (int i = 1; i < MEMBERS; i++) {
        assertThat(numbers[member(group, i)])
            .as("member %d of group %d", i, group)
            .isEqualTo(numbers[group]);
      }
    }
  }

  private static void readGroup(Store store, int group) {
    try (Snapshot snapshot = store.snapshot()) {
      long first = numberAt(store, snapshot, member(group, 0));
      for (int i = 1; i < MEMBERS; i++) {
        assertThat(numberAt(store, snapshot, member(group, i)))
            .as("member %d of group %d at a snapshot", i, group)
            .isEqualTo(first);
      }
    }
  }

  private static long numberAt(Store store, Snapshot snapshot, int key) {
    byte[] value = store.get(snapshot, key(key));
    return value == null ? 0 : CountedValue.counterOf(key, value);
  }

  // ---- conditional writes

  @Test
  void compareAndSetCountsEachIncrementOnce() throws Exception {
    int threads = 4;
    int increments = 700;
    int keys = 3;
    AtomicLongArray wins = new AtomicLongArray(keys);
    try (Store store = Store.open(folder, options())) {
      for (int thread = 0; thread < threads; thread++) {
        Random random = new Random(seed + thread);
        crew.work(
            platform(),
            () -> {
              for (int i = 0; i < increments && crew.goesOn(); i++) {
                int key = random.nextInt(keys);
                increment(store, key);
                wins.incrementAndGet(key);
              }
            });
      }
      crew.await();
      long sum = 0;
      for (int key = 0; key < keys; key++) {
        long counter = CountedValue.counterOf(key, store.get(key(key)));
        assertThat(counter).as("counter of key %d", key).isEqualTo(wins.get(key));
        sum += counter;
      }
      assertThat(sum).isEqualTo((long) threads * increments);
    }
  }

  private static void increment(Store store, int key) {
    while (true) {
      Versioned now = store.getVersioned(key(key));
      boolean done =
          now == null
              ? store.putIfAbsent(key(key), CountedValue.of(key, 1)) != 0
              : store.compareAndSet(
                      key(key),
                      now.version(),
                      CountedValue.of(key, CountedValue.counterOf(key, now.value()) + 1))
                  != 0;
      if (done) {
        return;
      }
    }
  }

  // ---- interrupts

  /**
   * A thread that is interrupted; each interrupt is counted where it is sent and where it arrives.
   */
  private static final class Target {
    private Thread thread; // guarded by this, as the next
    private long sent;
    private long arrived;
    private boolean leaves;

    synchronized void interruptOnceMore() {
      if (thread != null && !leaves && sent == arrived) {
        sent++;
        thread.interrupt();
      }
    }

    synchronized void enter() {
      thread = Thread.currentThread();
    }

    synchronized void take() {
      if (Thread.interrupted()) {
        arrived++;
      }
    }

    synchronized void leave() {
      leaves = true;
      take();
      assertThat(arrived).as("interrupts whose flag was kept").isEqualTo(sent);
    }

    synchronized long count() {
      return arrived;
    }
  }

  @ParameterizedTest
  @CsvSource({"MEMORY,false", "MEMORY,true", "SYNC,false", "SYNC,true"})
  void nobodyIsDisturbedByInterrupts(Durability durability, boolean virtual) throws Exception {
    int writes = durability == Durability.SYNC ? 1500 : 4000;
    StoreOptions options = options().withDurability(durability);
    AtomicLongArray acknowledged = new AtomicLongArray(3 * KEYS);
    long[] versions = new long[3 * KEYS];
    try (Store store = Store.open(folder, options)) {
      for (int i = 0; i < 200; i++) {
        store.put(key(COLD + i), CountedValue.of(COLD + i, i));
      }
      List<Target> targets = new ArrayList<>();
      for (int writer = 0; writer < 2; writer++) {
        int first = writer * KEYS;
        Random random = new Random(seed + writer);
        interrupted(
            virtual, targets, writes, () -> writeOne(store, random, first, acknowledged, versions));
      }
      long[] counters = new long[3 * KEYS];
      long[] seen = new long[3 * KEYS];
      Random random = new Random(seed + 2);
      interrupted(
          virtual, targets, writes, () -> readOne(store, random, acknowledged, counters, seen));
      interrupted(virtual, targets, writes / 50, () -> scanAll(store, acknowledged));
      interrupted(virtual, targets, writes / 15, store::compact);
      Random which = new Random(seed + 3);
      crew.watch(platform(), () -> targets.get(which.nextInt(targets.size())).interruptOnceMore());
      crew.await();
      assertThat(targets.stream().mapToLong(Target::count).sum())
          .as("interrupts")
          .isGreaterThan(100);
      compare(store, acknowledged, versions);
      store.verify();
    }
    try (Store store = Store.open(folder, options)) {
      compare(store, acknowledged, versions);
      store.verify();
    }
  }

  private void interrupted(boolean virtual, List<Target> targets, int times, Work work) {
    Target target = new Target();
    targets.add(target);
    crew.work(
        virtual ? Thread.ofVirtual() : platform(),
        () -> {
          target.enter();
          for (int i = 0; i < times && crew.goesOn(); i++) {
            boolean before = Thread.currentThread().isInterrupted();
            work.run();
            assertThat(Thread.currentThread().isInterrupted() || !before)
                .as("the flag is kept")
                .isTrue();
            if (i % 3 > 0) { // some calls begin with it
              target.take();
            }
          }
          target.leave();
        });
  }

  private static void writeOne(
      Store store, Random random, int first, AtomicLongArray acknowledged, long[] versions) {
    int key = first + random.nextInt(KEYS);
    long counter = acknowledged.get(key) + 1;
    versions[key] = store.put(key(key), CountedValue.of(key, counter));
    acknowledged.set(key, counter);
  }

  @Test
  void namesAreSyncedThroughInterrupts() throws Exception {
    Folder names = new Folder(folder);
    Target target = new Target();
    crew.work(
        platform(),
        () -> {
          target.enter();
          for (int i = 0; i < 5000 && crew.goesOn(); i++) {
            names.syncNames();
            target.take();
          }
          target.leave();
        });
    crew.watch(platform(), target::interruptOnceMore);
    crew.await();
    assertThat(target.count()).as("interrupts").isPositive();
  }
}
