// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.kv.store.region.RegionEngine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random programs against a sorted map, in one thread, so that a seed tells all. The store's disk
 * does only what disks promise, and the host crashes, or the process is killed, at any call.
 */
class StoreSimulationTest {
  private static final int KEYS = 300;
  private static final LongAdder MERGES = new LongAdder();
  private static final LongAdder MOVES = new LongAdder();

  static List<Long> seeds() {
    long first = Long.getLong("verbena.seed", System.nanoTime());
    List<Long> seeds = new ArrayList<>();
    for (int i = 0; i < Integer.getInteger("verbena.rounds", 12); i++) {
      seeds.add(first + i);
    }
    return seeds;
  }

  /**
   * Tables are flushed at once, in the thread that asks for it; merges wait until the test runs
   * them.
   */
  static final class Inline implements Background {
    private final Deque<Runnable> merges = new ArrayDeque<>();
    private int flushes;

    @Override
    public Executor flusher() {
      return work -> {
        work.run();
        if (++flushes
            >= 6) { // before trees are so many that a flush waits for a merge, which nobody would
          // run
          flushes = 0;
          runSome(100);
        }
      };
    }

    @Override
    public Executor merger() {
      return merges::add;
    }

    @Override
    public Executor collector() {
      return merges::add;
    }

    void runSome(int count) {
      for (int i = 0; i < count && !merges.isEmpty(); i++) {
        merges.removeFirst().run();
      }
    }

    @Override
    public void begin(List<RegionEngine> regions) {}

    @Override
    public void end() {}
  }

  private final TreeMap<byte[], Versioned> model = new TreeMap<>(Arrays::compareUnsigned);
  private Random random = new Random();
  private SimulatedDisk disk = new SimulatedDisk();
  private Store store;
  private StoreOptions options;
  private Inline background = new Inline();
  private boolean heavy;
  private final List<Snapshot> snapshots = new ArrayList<>();
  private final List<TreeMap<byte[], Versioned>> pictures = new ArrayList<>();

  private void begin(long seed) {
    random = new Random(seed);
    heavy = Math.floorMod(seed, 3) == 0; // some of any seeds that follow each other
    options =
        StoreOptions.defaults()
            .withDurability(Durability.SYNC)
            .withInlineLimit(random.nextInt(64))
            .withTables(16 + random.nextInt(100), 4 << 20)
            .withCacheBytes(1 << 20)
            .withWriteWait(Duration.ofSeconds(1)) // in one thread waiting is in vain
            .withSpaceAmplification(1.1 + random.nextDouble())
            .withSplits(random.nextBoolean() ? List.of() : List.of(key(100), key(200)));
    open();
  }

  private void open() {
    background = new Inline();
    store = Store.open(disk, options, background);
  }

  private static byte[] key(int number) {
    return String.format(number % 3 == 0 ? "%03d-a-longer-key-than-others" : "%03d", number)
        .getBytes();
  }

  private byte[] randomKey() {
    return key(random.nextInt(KEYS));
  }

  private byte[] randomValue() {
    int longest = heavy ? 200_000 : 5000;
    byte[] value = new byte[random.nextInt(8) == 0 ? random.nextInt(longest) : random.nextInt(100)];
    random.nextBytes(value);
    return value;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void isAMapWithVersionsSnapshotsAndRestarts(long seed) {
    begin(seed);
    for (int step = 0; step < 3000; step++) {
      step();
    }
    background.runSome(100);
    compareAll();
    count();
    store.verify();
    store.close();
  }

  private void step() {
    switch (random.nextInt(42)) {
      case 40, 41 -> background.runSome(random.nextInt(4));
      case 0 -> store.flush();
      case 1 -> restart();
      case 2 -> takeSnapshot();
      case 3 -> dropSnapshot();
      case 4 -> compareSnapshot();
      case 5 -> compareRange();
      case 6 -> {
        if (random.nextInt(5) == 0) {
          store.compact();
        }
      }
      case 7, 8 -> batch();
      case 9, 10 -> conditional();
      case 11, 12, 13, 14, 15, 16 -> delete(randomKey());
      case 17, 18, 19, 20, 21, 22, 23, 24 -> compare(randomKey());
      default -> put(randomKey(), randomValue());
    }
  }

  private void put(byte[] key, byte[] value) {
    long version = store.put(key, value);
    model.put(key, new Versioned(value, version));
  }

  private void delete(byte[] key) {
    store.delete(key);
    model.remove(key);
  }

  private void conditional() {
    byte[] key = randomKey();
    byte[] value = randomValue();
    Versioned now = model.get(key);
    long right = now == null ? 0 : now.version();
    long asked = random.nextBoolean() ? right : random.nextInt(5);
    long version = store.compareAndSet(key, asked, value);
    assertThat(version != 0).as("compareAndSet").isEqualTo(asked == right);
    if (version != 0) {
      model.put(key, new Versioned(value, version));
    }
  }

  private void batch() {
    int third = random.nextInt(3);
    Batch batch = new Batch();
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (int i = random.nextInt(10); i >= 0; i--) {
      keys.add(key(100 * third + random.nextInt(100)));
      values.add(random.nextInt(4) == 0 ? null : randomValue());
      if (values.getLast() == null) {
        batch.delete(keys.getLast());
      } else {
        batch.put(keys.getLast(), values.getLast());
      }
    }
    long last = store.write(batch);
    for (int i = 0; i < keys.size(); i++) {
      if (values.get(i) == null) {
        model.remove(keys.get(i));
      } else {
        model.put(keys.get(i), new Versioned(values.get(i), last - keys.size() + 1 + i));
      }
    }
  }

  private void restart() {
    if (random.nextInt(4) > 0) {
      return;
    }
    count();
    snapshots.clear();
    pictures.clear();
    switch (random.nextInt(3)) {
      case 0 -> store.close();
      case 1 -> disk = disk.killed();
      default -> disk = disk.crashed(random);
    }
    forget(store);
    open();
  }

  /** Frees the memory of a store whose disk is no more. */
  static void forget(Store store) {
    try {
      store.close();
    } catch (StoreException e) {
      // it could write nothing
    }
  }

  private void count() {
    StoreStats stats = store.stats();
    MERGES.add(stats.merges());
    MOVES.add(stats.movedValues());
  }

  @AfterAll
  static void hasDoneAllThatIsTested() {
    assertThat(MERGES.sum()).as("merges").isPositive();
    assertThat(MOVES.sum()).as("moves").isPositive();
  }

  private void takeSnapshot() {
    if (snapshots.size() < 5) {
      snapshots.add(store.snapshot());
      pictures.add(new TreeMap<>(model));
    }
  }

  private void dropSnapshot() {
    if (!snapshots.isEmpty()) {
      int which = random.nextInt(snapshots.size());
      snapshots.remove(which).close();
      pictures.remove(which);
    }
  }

  private void compareSnapshot() {
    if (!snapshots.isEmpty()) {
      int which = random.nextInt(snapshots.size());
      byte[] key = randomKey();
      Versioned expected = pictures.get(which).get(key);
      assertThat(store.get(snapshots.get(which), key))
          .isEqualTo(expected == null ? null : expected.value());
      try (Scan scan = store.scan(snapshots.get(which), new byte[0], null)) {
        compare(scan, pictures.get(which));
      }
    }
  }

  private void compareRange() {
    byte[] from = randomKey();
    byte[] to = randomKey();
    if (Arrays.compareUnsigned(from, to) < 0) {
      try (Scan scan = store.scan(from, to)) {
        compare(scan, model.subMap(from, to));
      }
    }
  }

  private void compareAll() {
    try (Scan scan = store.scan(new byte[0], null)) {
      compare(scan, model);
    }
  }

  private static void compare(Scan scan, Map<byte[], Versioned> expected) {
    for (var entry : expected.entrySet()) {
      assertThat(scan.next()).as("next").isTrue();
      assertThat(scan.key()).isEqualTo(entry.getKey());
      assertThat(scan.value()).isEqualTo(entry.getValue().value());
      assertThat(scan.version()).isEqualTo(entry.getValue().version());
    }
    assertThat(scan.next()).as("next behind the last one").isFalse();
  }

  private void compare(byte[] key) {
    Versioned expected = model.get(key);
    Versioned found = store.getVersioned(key);
    assertThat(found == null).as("whether it is missing").isEqualTo(expected == null);
    if (found != null && expected != null) {
      assertThat(found.value()).isEqualTo(expected.value());
      assertThat(found.version()).isEqualTo(expected.version());
    }
  }
}
