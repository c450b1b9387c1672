// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.kv.store.StoreException.Reason;
import io.verbena.kv.store.StoreSimulationTest.Inline;
import io.verbena.kv.store.disk.Disk;
import io.verbena.kv.store.disk.DiskFile;
import io.verbena.kv.store.disk.Folder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads that write, read, scan, are interrupted and find the store closed, while tables and trees
 * come and go.
 */
@Tag("timing")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class StoreConcurrencyTest {
  private static final Duration BOUND = Duration.ofMinutes(2);

  @TempDir private Path folder;

  private final long seed = Long.getLong("verbena.seed", System.nanoTime());
  private final Crew crew = new Crew();

  private static StoreOptions options() {
    return StoreOptions.defaults()
        .withDurability(Durability.MEMORY)
        .withTables(200, 4 << 20)
        .withCacheBytes(1 << 20)
        .withInlineLimit(50)
        .withSpaceAmplification(1.1);
  }

  private interface Work {
    void run() throws Exception;
  }

  /**
   * Threads that are awaited together; the first failure of one ends them all, and is the test's.
   */
  private final class Crew {
    private final List<Thread> workers = new ArrayList<>();
    private final List<Thread> watchers = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicBoolean over = new AtomicBoolean();

    /** A thread that comes to an end. */
    Thread work(Thread.Builder builder, Work work) {
      return start(workers, builder, work);
    }

    /** A thread whose work is done again and again until the others' is over. */
    Thread watch(Thread.Builder builder, Work work) {
      return start(
          watchers,
          builder,
          () -> {
            do {
              work.run();
            } while (goesOn());
          });
    }

    private Thread start(List<Thread> threads, Thread.Builder builder, Work work) {
      Thread thread =
          builder.start(
              () -> {
                try {
                  work.run();
                } catch (Throwable e) {
                  failure.compareAndSet(null, e);
                  over.set(true);
                }
              });
      threads.add(thread);
      return thread;
    }

    boolean goesOn() {
      return !over.get();
    }

    void await() throws InterruptedException {
      join(workers);
      over.set(true);
      join(watchers);
      if (failure.get() != null) {
        throw new AssertionError("-Dverbena.seed=" + seed, failure.get());
      }
    }

    private void join(List<Thread> threads) throws InterruptedException {
      for (Thread thread : threads) {
        assertThat(thread.join(BOUND))
            .as("%s, which ends: %s", thread, List.of(thread.getStackTrace()))
            .isTrue();
      }
    }
  }

  private static Thread.Builder platform() {
    return Thread.ofPlatform().daemon();
  }

  private static void await(String what, BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - begin)
          .as("nanoseconds until %s", what)
          .isLessThan(BOUND.toNanos());
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private static byte[] key(int number) {
    return String.format("key-%05d", number).getBytes();
  }

  private static int numberOf(byte[] key) {
    return Integer.parseInt(new String(key, 4, 5));
  }

  private static byte[] bytes(byte[] value) {
    assertThat(value).as("value of a key that is there").isNotNull();
    return value;
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
      assertThat(CountedValue.counterOf(COLD + i, bytes(store.get(key(COLD + i))))).isEqualTo(i);
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
        long counter = CountedValue.counterOf(key, bytes(store.get(key(key))));
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

  // ---- close

  @Test
  void callsDuringCloseAreDoneOrRefusedAndWhatWasAcknowledgedStays() throws Exception {
    Random random = new Random(seed);
    AtomicLongArray acknowledged = new AtomicLongArray(3 * KEYS);
    AtomicLongArray begun = new AtomicLongArray(3 * KEYS);
    for (int round = 0; round < 40; round++) {
      Store store = Store.open(folder, options());
      Crew all = new Crew();
      AtomicLong calls = new AtomicLong();
      for (int writer = 0; writer < 2; writer++) {
        int first = writer * KEYS;
        Random own = new Random(seed + 3 * round + writer);
        untilRefused(all, calls, () -> writeCounted(store, own, first, acknowledged, begun));
      }
      Random reading = new Random(seed + 3 * round + 2);
      untilRefused(all, calls, () -> readWhole(store, reading.nextInt(3 * KEYS)));
      untilRefused(all, calls, () -> scanWhole(store));
      untilRefused(all, calls, store::flush);
      int enough = 1 + random.nextInt(400);
      await("calls were made", () -> calls.get() >= enough || all.over.get());
      store.close();
      all.await();
      try (Store opened = Store.open(folder, options())) {
        for (int key = 0; key < 3 * KEYS; key++) {
          byte[] value = opened.get(key(key));
          long counter = value == null ? 0 : CountedValue.counterOf(key, value);
          assertThat(counter)
              .as("-Dverbena.seed=%d, counter of key %d", seed, key)
              .isBetween(acknowledged.get(key), begun.get(key));
          acknowledged.set(key, counter);
        }
        opened.verify();
      }
    }
  }

  private static void untilRefused(Crew all, AtomicLong calls, Work work) {
    all.work(
        platform(),
        () -> {
          try {
            while (true) {
              work.run();
              calls.incrementAndGet();
            }
          } catch (IllegalStateException e) {
            assertThat(e).hasMessage("the store is closed");
          } catch (StoreException e) {
            assertThat(e.reason()).isEqualTo(Reason.CLOSED);
          }
        });
  }

  private static void writeCounted(
      Store store, Random random, int first, AtomicLongArray acknowledged, AtomicLongArray begun) {
    int key = first + random.nextInt(KEYS);
    long counter = begun.incrementAndGet(key);
    if (random.nextBoolean()) {
      store.put(key(key), CountedValue.of(key, counter));
    } else {
      Versioned now = store.getVersioned(key(key));
      long version =
          store.compareAndSet(
              key(key), now == null ? 0 : now.version(), CountedValue.of(key, counter));
      assertThat(version).as("version of a write of the only writer").isPositive();
    }
    acknowledged.set(key, counter);
  }

  private static void readWhole(Store store, int key) {
    byte[] value = store.get(key(key));
    if (value != null) {
      CountedValue.counterOf(key, value);
    }
  }

  private static void scanWhole(Store store) {
    try (Scan scan = store.scan(new byte[0], null)) {
      while (scan.next()) {
        CountedValue.counterOf(numberOf(scan.key()), scan.value());
      }
    }
  }

  @Test
  void everyCallAfterCloseIsRefused() {
    Store store = Store.open(folder, options());
    long version = store.put(key(1), CountedValue.of(1, 1));
    Snapshot snapshot = store.snapshot();
    Scan scan = store.scan(new byte[0], null);
    store.close();
    store.close(); // does nothing
    List<Work> calls =
        List.of(
            () -> store.get(key(1)),
            () -> store.get(snapshot, key(1)),
            () -> store.getVersioned(key(1)),
            () -> store.put(key(1), new byte[1]),
            () -> store.delete(key(1)),
            () -> store.putIfAbsent(key(1), new byte[1]),
            () -> store.compareAndSet(key(1), version, new byte[1]),
            () -> store.write(new Batch().put(key(1), new byte[1])),
            scan::next,
            store::flush,
            store::compact,
            store::verify);
    for (int i = 0; i < calls.size(); i++) {
      assertThatThrownBy(calls.get(i)::run)
          .as("call %d", i)
          .isInstanceOfAny(IllegalStateException.class, StoreException.class);
    }
    scan.close();
    snapshot.close();
  }

  /** A disk on which a thread can be held up, and that knows who changes it when. */
  private static final class GatedDisk implements Disk {
    private final Disk disk;
    private final Gate gate;

    /** What all folders share. */
    private static final class Gate {
      private volatile String heldName = "nothing";
      private final CountDownLatch held = new CountDownLatch(1);
      private final CountDownLatch open = new CountDownLatch(1);
      private final AtomicBoolean closed = new AtomicBoolean();
      private final AtomicBoolean changedAfterwards = new AtomicBoolean();

      void pass(String name) {
        if (name.endsWith(heldName)) {
          held.countDown();
          try {
            open.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        }
        if (closed.get()) {
          changedAfterwards.set(true);
        }
      }
    }

    GatedDisk(Disk disk, Gate gate) {
      this.disk = disk;
      this.gate = gate;
    }

    @Override
    public List<String> list() throws IOException {
      return disk.list();
    }

    @Override
    public DiskFile create(String name, Access access) throws IOException {
      gate.pass(name);
      return disk.create(name, access);
    }

    @Override
    public DiskFile open(String name, Access access) throws IOException {
      return disk.open(name, access);
    }

    @Override
    public void rename(String from, String to) throws IOException {
      gate.pass(from);
      disk.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
      gate.pass(name);
      disk.delete(name);
    }

    @Override
    public void syncNames() throws IOException {
      disk.syncNames();
    }

    @Override
    public Disk folder(String name) throws IOException {
      return new GatedDisk(disk.folder(name), gate);
    }

    @Override
    public AutoCloseable lock(String name) throws IOException {
      return disk.lock(name);
    }

    @Override
    public long usableBytes() throws IOException {
      return disk.usableBytes();
    }

    @Override
    public String describe(String name) {
      return disk.describe(name);
    }
  }

  /** A folder that is closed may belong to another process. */
  @ParameterizedTest
  @ValueSource(strings = {".index", "manifest.new"})
  void nothingChangesTheFilesWhenCloseHasReturned(String heldUp) throws Exception {
    GatedDisk.Gate gate = new GatedDisk.Gate();
    Store store = Store.open(new GatedDisk(new SimulatedDisk(), gate), options(), new Inline());
    for (int i = 0; i < 500; i++) {
      store.put(key(i), CountedValue.of(i, i));
    }
    store.flush();
    gate.heldName = heldUp;
    crew.work(
        platform(),
        () -> {
          try {
            store.compact();
          } catch (IllegalStateException | StoreException e) {
            // refused
          }
        });
    assertThat(gate.held.await(BOUND.toMinutes(), TimeUnit.MINUTES))
        .as("compact has begun")
        .isTrue();
    Thread closing =
        crew.work(
            platform(),
            () -> {
              store.close();
              gate.closed.set(true);
            });
    await(
        "close is done, or waits",
        () ->
            List.of(
                    Thread.State.WAITING,
                    Thread.State.TIMED_WAITING,
                    Thread.State.BLOCKED,
                    Thread.State.TERMINATED)
                .contains(closing.getState()));
    gate.open.countDown();
    crew.await();
    assertThat(gate.changedAfterwards).as("a change of files after close").isFalse();
  }

  // ---- snapshots and scans

  @Test
  void snapshotsThatAreTooOldAreRefused() {
    Duration age = Duration.ofMillis(20);
    try (Store store = Store.open(folder, options().withSnapshotAge(age))) {
      for (int i = 0; i < 300; i++) {
        store.put(key(i), CountedValue.of(i, 1));
      }
      Snapshot old = store.snapshot();
      Scan scan = store.scan(new byte[0], null);
      long taken = System.nanoTime();
      await("the snapshots are old", () -> System.nanoTime() - taken > age.toNanos());
      for (int i = 0; i < 300; i++) {
        store.put(key(i), CountedValue.of(i, 2));
      }
      store.compact();
      assertGone(() -> store.get(old, key(1)));
      assertGone(() -> store.scan(old, new byte[0], null).next());
      assertGone(scan::next);
      old.close();
      assertGone(() -> store.get(old, key(1)));
      scan.close();
      assertThat(store.stats().snapshots()).isZero();
      assertThat(CountedValue.counterOf(1, bytes(store.get(key(1))))).isEqualTo(2);
      store.verify();
    }
  }

  private static void assertGone(ThrowingCallable call) {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.SNAPSHOT_GONE));
  }

  @Test
  void scansThatStayOpenGoOnAsTheyHaveBegun() throws Exception {
    Random random = new Random(seed);
    TreeMap<Integer, Long> model = new TreeMap<>();
    List<Scan> scans = new ArrayList<>();
    List<List<Map.Entry<Integer, Long>>> expected = new ArrayList<>();
    try (Store store = Store.open(folder, options())) {
      for (int step = 0; step < 3000; step++) {
        int key = random.nextInt(400);
        if (random.nextInt(4) == 0) {
          store.delete(key(key));
          model.remove(key);
        } else {
          store.put(key(key), CountedValue.of(key, step));
          model.put(key, (long) step);
        }
        if (step % 500 == 250) {
          scans.add(store.scan(new byte[0], null));
          expected.add(new ArrayList<>(Map.copyOf(model).entrySet()));
          expected.getLast().sort(Map.Entry.comparingByKey());
        }
        if (step % 100 == 0) {
          store.flush();
        }
        if (step % 300 == 0) {
          store.compact();
        }
        if (!scans.isEmpty()) {
          int which = random.nextInt(scans.size());
          advance(scans.get(which), expected.get(which));
        }
      }
      for (int i = 0; i < scans.size(); i++) {
        while (advance(scans.get(i), expected.get(i))) {
          if (expected.get(i).size() % 50 == 0) {
            store.put(key(i), CountedValue.of(i, 5000 + i));
            store.compact();
          }
        }
        scans.get(i).close();
      }
      assertThat(store.stats().snapshots()).isZero();
    } catch (AssertionError e) {
      throw new AssertionError("-Dverbena.seed=" + seed, e);
    }
  }

  /** Goes to the next key of a scan, which is the first one that is expected. */
  private static boolean advance(Scan scan, List<Map.Entry<Integer, Long>> expected) {
    assertThat(scan.next())
        .as("next, with %d keys to come", expected.size())
        .isEqualTo(!expected.isEmpty());
    if (expected.isEmpty()) {
      return false;
    }
    var next = expected.removeFirst();
    assertThat(numberOf(scan.key())).isEqualTo(next.getKey());
    assertThat(CountedValue.counterOf(next.getKey(), scan.value())).isEqualTo(next.getValue());
    return true;
  }
}
