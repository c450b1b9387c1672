// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static io.verbena.kv.store.CountedValue.key;
import static io.verbena.kv.store.CountedValue.numberOf;
import static io.verbena.kv.store.Crew.await;
import static io.verbena.kv.store.StoreConcurrencyTest.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.kv.store.StoreException.Reason;
import io.verbena.kv.store.StoreSimulationTest.Inline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots and scans that stay open while tables and trees come and go. */
class StoreSnapshotTest {
  @TempDir private Path folder;

  private final long seed = Long.getLong("verbena.seed", System.nanoTime());

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
      assertGone("older than snapshotAge, 20 ms", () -> store.get(old, key(1)));
      assertGone("older", () -> store.scan(old, new byte[0], null).next());
      assertGone("older", scan::next);
      old.close();
      assertGone("closed", () -> store.get(old, key(1)));
      scan.close();
      assertGone("closed", scan::next);
      assertThat(store.stats().snapshots()).isZero();
      assertThat(CountedValue.counterOf(1, store.get(key(1)))).isEqualTo(2);
      store.verify();
    }
  }

  private static void assertGone(String why, ThrowingCallable call) {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(call)
        .withMessageContaining(why)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.SNAPSHOT_GONE));
  }

  /** It lets go of what a newer view does without while it passes over keys that are gone. */
  @Test
  void aScanOverManyDeletedKeysHoldsNoOldTrees() {
    int keys = 30_000;
    SimulatedDisk disk = new SimulatedDisk();
    Inline background = new Inline();
    StoreOptions options = options().withTables(2 * keys, 8 << 20);
    try (Store store = Store.open(disk, options, background);
        Snapshot before = putAndDelete(store, keys);
        Scan scan = store.scan(new byte[0], null)) {
      Set<String> held = new HashSet<>(names(disk));
      Set<String> readAfterwards = new HashSet<>();
      AtomicBoolean compacts = new AtomicBoolean(true);
      disk.world().onRead =
          file -> {
            if (compacts.getAndSet(false)) {
              disk.world().onRead = other -> {};
              store.compact();
              background.runSome(100);
              disk.world().onRead = readAfterwards::add;
            }
          };
      assertThat(scan.next()).isTrue();
      assertThat(numberOf(scan.key())).isEqualTo(keys);
      disk.world().onRead = file -> {};
      readAfterwards.removeAll(held);
      assertThat(readAfterwards).as("new trees that it has read").isNotEmpty();
      assertThat(store.get(before, key(1))).isEqualTo(CountedValue.of(1, 1));
    }
  }

  private static Snapshot putAndDelete(Store store, int keys) {
    for (int i = 0; i <= keys; i++) {
      store.put(key(i), CountedValue.of(i, i));
    }
    Snapshot before = store.snapshot();
    for (int i = 0; i < keys; i++) {
      store.delete(key(i));
    }
    store.flush();
    return before;
  }

  private static List<String> names(SimulatedDisk disk) {
    return disk.contents().keySet().stream()
        .map(file -> file.substring(file.lastIndexOf('/') + 1))
        .toList();
  }

  @Test
  void aScanHasAKeyOnlyWhereNextHasGoneToOne() {
    try (Store store = Store.open(folder, options());
        Scan scan = store.scan(new byte[0], null)) {
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(scan::key, scan::value, scan::version)) {
        assertThatExceptionOfType(IllegalStateException.class)
            .isThrownBy(call)
            .withMessageContaining("next()");
      }
      assertThat(scan.next()).isFalse();
      assertThatExceptionOfType(IllegalStateException.class).isThrownBy(scan::key);
    }
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
