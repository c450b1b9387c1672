// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.verbena.kv.store.StoreException.Reason;
import io.verbena.kv.store.StoreSimulationTest.Inline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A program whose calls of the disk fail, each in its turn: the host crashes in it, it is refused
 * once, or the disk is full from there on. Whatever was acknowledged is there afterwards; what was
 * not is there whole, or not at all.
 */
class StoreFaultsTest {
  private static final int STRIDE = Integer.getInteger("verbena.stride", 11);

  enum Fault {
    CRASH,
    KILL,
    /** The next life writes something before the host crashes. */
    KILL_AND_CRASH,
    REFUSAL,
    FULL
  }

  /** A write that was begun: what its keys hold if it is there. */
  private record Begun(TreeMap<byte[], byte[]> changes) {}

  private final TreeMap<byte[], byte[]> sure = new TreeMap<>(Arrays::compareUnsigned);
  private final List<Begun> unsure = new ArrayList<>();
  private final List<Store> opened = new ArrayList<>();

  private static StoreOptions options(Random random) {
    return StoreOptions.defaults()
        .withDurability(Durability.SYNC)
        .withInlineLimit(20)
        .withTables(16 + random.nextInt(20), 4 << 20)
        .withCacheBytes(1 << 20);
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void keepsWhatWasAcknowledgedWhicheverCallFails(Fault fault) {
    long seed = Long.getLong("verbena.seed", System.nanoTime());
    long all = run(seed, new SimulatedDisk(), null, 0);
    for (long call = 1 + Math.floorMod(seed, STRIDE); call <= all; call += STRIDE) {
      try {
        run(seed, new SimulatedDisk(), fault, call);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "-Dverbena.seed=" + seed + ", " + fault + " at call " + call + " of " + all, e);
      }
    }
  }

  /** Runs the program, with a fault at a call of the disk, and looks at what is left. */
  private long run(long seed, SimulatedDisk disk, Fault fault, long call) {
    sure.clear();
    unsure.clear();
    Random random = new Random(seed);
    StoreOptions options = options(random);
    if (fault == Fault.CRASH || fault == Fault.KILL || fault == Fault.KILL_AND_CRASH) {
      disk.world().crashingCall = call;
    } else if (fault != null) {
      disk.world().failingCall = call;
      disk.world().full = fault == Fault.FULL;
    }
    try {
      program(random, disk, options);
    } catch (StoreException e) {
      if (fault == null) {
        throw e;
      }
    }
    long calls = disk.world().calls;
    SimulatedDisk left =
        fault == Fault.CRASH ? disk.crashed(new Random(seed + call)) : disk.killed();
    forgetAll();
    if (fault == Fault.KILL_AND_CRASH) {
      left = crashedLater(left, options, new Random(seed + call));
    }
    try (Store store = Store.open(left, options, new Inline())) {
      compare(store);
      store.verify();
      store.put(key(0), value(random)); // it is as good as new
      store.compact();
      store.verify();
    }
    return calls;
  }

  private SimulatedDisk crashedLater(SimulatedDisk disk, StoreOptions options, Random random) {
    Inline background = new Inline();
    Store store = Store.open(disk, options, background);
    opened.add(store);
    compare(store);
    unsure.clear();
    sure.clear();
    sure.putAll(contents(store));
    for (int i = 0; i < 3; i++) {
      step(random, store);
      background.runSome(random.nextInt(3));
    }
    SimulatedDisk left = disk.crashed(random);
    forgetAll();
    return left;
  }

  private void forgetAll() {
    opened.forEach(StoreSimulationTest::forget);
    opened.clear();
  }

  private void program(Random random, SimulatedDisk disk, StoreOptions options) {
    for (int life = 0; life < 3; life++) {
      Inline background = new Inline();
      Store store = Store.open(disk, options, background);
      opened.add(store);
      for (int i = 0; i < 60; i++) {
        step(random, store);
        background.runSome(random.nextInt(3));
      }
      store.close();
    }
  }

  private void step(Random random, Store store) {
    TreeMap<byte[], byte[]> changes = new TreeMap<>(Arrays::compareUnsigned);
    Batch batch = new Batch();
    for (int i = random.nextInt(4) == 0 ? 5 : 1; i > 0; i--) {
      byte[] key = key(random.nextInt(50));
      byte[] value = random.nextInt(5) == 0 ? null : value(random);
      changes.put(key, value);
      if (value == null) {
        batch.delete(key);
      } else {
        batch.put(key, value);
      }
    }
    try {
      store.write(batch);
      apply(sure, changes);
    } catch (StoreException e) {
      if (e.reason() != Reason.FULL) {
        unsure.add(new Begun(changes));
      }
      if (e.reason() != Reason.READ_ONLY) {
        return;
      }
      throw e;
    }
    if (random.nextInt(20) == 0) {
      try {
        store.flush();
      } catch (StoreException e) {
        assertThat(e.reason()).isIn(Reason.FULL, Reason.READ_ONLY, Reason.IO);
      }
    }
  }

  /**
   * Where writes do not wait for the disk, a crash of the host takes some of the last ones away,
   * but none that others came behind, and none from before a sync.
   */
  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      names = {"MEMORY", "INTERVAL"})
  void losesTheLastWritesAlone(Durability durability) {
    long seed = Long.getLong("verbena.seed", System.nanoTime());
    for (int round = 0; round < 300 / STRIDE; round++) {
      Random random = new Random(seed + round);
      List<TreeMap<byte[], byte[]>> history = new ArrayList<>();
      SimulatedDisk disk = new SimulatedDisk();
      int synced = history(random, disk, options(random).withDurability(durability), history);
      SimulatedDisk left = disk.crashed(random);
      forgetAll();
      try (Store store = Store.open(left, options(random), new Inline())) {
        TreeMap<byte[], byte[]> found = contents(store);
        assertThat(history.subList(synced, history.size()))
            .as("-Dverbena.seed=" + (seed + round))
            .anyMatch(state -> same(state, found));
        store.verify();
      }
    }
  }

  /**
   * Runs a program until the host crashes. Says which state is durable; all of them are in the
   * history.
   */
  private int history(
      Random random,
      SimulatedDisk disk,
      StoreOptions options,
      List<TreeMap<byte[], byte[]>> history) {
    sure.clear();
    unsure.clear();
    int synced = 0;
    history.add(new TreeMap<>(sure));
    disk.world().crashingCall = 20 + random.nextInt(250);
    try {
      Inline background = new Inline();
      Store store = Store.open(disk, options, background);
      opened.add(store);
      while (!disk.world().gone) {
        step(random, store);
        history.add(new TreeMap<>(sure));
        background.runSome(random.nextInt(3));
        if (random.nextInt(30) == 0) {
          store.sync();
          synced = history.size() - 1;
        }
      }
    } catch (StoreException e) {
      assertThat(disk.world().gone).as("whether the disk has crashed").isTrue();
    }
    for (Begun begun : unsure) {
      apply(sure, begun.changes());
      history.add(new TreeMap<>(sure));
    }
    return synced;
  }

  private static void apply(TreeMap<byte[], byte[]> to, TreeMap<byte[], byte[]> changes) {
    changes.forEach(
        (key, value) -> {
          if (value == null) {
            to.remove(key);
          } else {
            to.put(key, value);
          }
        });
  }

  private static byte[] key(int number) {
    return String.format("key-%02d", number).getBytes();
  }

  private static byte[] value(Random random) {
    byte[] value = new byte[random.nextInt(60)];
    random.nextBytes(value);
    return value;
  }

  /**
   * The store holds what is sure, or that with one of the writes that failed; for these came one
   * after the other.
   */
  private void compare(Store store) {
    TreeMap<byte[], byte[]> found = contents(store);
    if (same(found, sure)) {
      return;
    }
    TreeMap<byte[], byte[]> possible = new TreeMap<>(sure);
    for (Begun begun : unsure) {
      apply(possible, begun.changes());
      if (same(found, possible)) {
        return;
      }
    }
    fail(
        "%d keys are there, which are not the %d acknowledged ones, nor those of %d writes that failed",
        found.size(), sure.size(), unsure.size());
  }

  private static TreeMap<byte[], byte[]> contents(Store store) {
    TreeMap<byte[], byte[]> found = new TreeMap<>(Arrays::compareUnsigned);
    try (Scan scan = store.scan(new byte[0], null)) {
      while (scan.next()) {
        found.put(scan.key(), scan.value());
        assertThat(store.get(scan.key())).isEqualTo(scan.value());
      }
    }
    return found;
  }

  private static boolean same(TreeMap<byte[], byte[]> a, TreeMap<byte[], byte[]> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (var entry : a.entrySet()) {
      byte[] other = b.get(entry.getKey());
      if (other == null || !Arrays.equals(other, entry.getValue())) {
        return false;
      }
    }
    return true;
  }
}
