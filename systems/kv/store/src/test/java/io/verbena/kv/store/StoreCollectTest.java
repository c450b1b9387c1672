// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.kv.store.StoreSimulationTest.Inline;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Values that are moved so that segments of the log can go. */
class StoreCollectTest {
  private static final int KEYS = 300;
  private static final int VALUE_BYTES = 20_000;

  private final SimulatedDisk disk = new SimulatedDisk();
  private Inline background = new Inline();

  private static byte[] key(int number) {
    return String.format("key-%03d%0300d", number, 0).getBytes(); // some twelve in a leaf
  }

  private static byte[] value(int fill) {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) fill);
    return value;
  }

  private Store open() {
    background = new Inline();
    return Store.open(
        disk,
        StoreOptions.defaults()
            .withDurability(Durability.MEMORY)
            .withInlineLimit(10)
            .withTables(1000, 4 << 20)
            .withCacheBytes(1 << 20)
            .withSpaceAmplification(1.1),
        background);
  }

  /** Three of four values are garbage, and trees know it. */
  private Store halfDead() {
    Store store = open();
    for (int i = 0; i < KEYS; i++) {
      store.put(key(i), value(i));
    }
    for (int i = 0; i < KEYS; i++) {
      if (i % 4 != 0) {
        store.put(key(i), value(100));
      }
    }
    store.compact();
    return store;
  }

  @Test
  void movesWhatLivesWithItsVersionAndFreesTheRest() {
    try (Store store = halfDead()) {
      long before = store.stats().logBytes();
      long version = store.getVersioned(key(4)).version();
      background.runSome(100);
      store.flush();
      StoreStats after = store.stats();
      assertThat(after.movedValues()).isPositive();
      assertThat(after.logBytes()).isLessThan(before * 3 / 4);
      assertThat(store.getVersioned(key(4)).version()).isEqualTo(version);
      for (int i = 0; i < KEYS; i++) {
        assertThat(store.get(key(i))).isEqualTo(value(i % 4 == 0 ? i : 100));
      }
      store.verify();
    }
  }

  @Test
  void aKeyThatIsWrittenBetweenTheLookAndTheMoveKeepsWhatWasWritten() {
    halfDead().close();
    try (Store store = open()) { // with a cold cache: the looks read
      AtomicInteger reads = new AtomicInteger();
      disk.world().onRead =
          file -> {
            if (file.endsWith(".index") && reads.incrementAndGet() == 4) {
              store.put(key(0), "newer".getBytes());
              store.delete(key(4));
            }
          };
      background.runSome(100);
      disk.world().onRead = file -> {};
      assertThat(reads.get()).isGreaterThan(4);
      assertThat(store.stats().movedValues()).isPositive();
      assertThat(store.get(key(0))).isEqualTo("newer".getBytes());
      assertThat(store.get(key(4))).isNull();
    }
  }

  @Test
  void aSnapshotReadsValuesThatWereMoved() {
    try (Store store = halfDead();
        Snapshot snapshot = store.snapshot()) {
      background.runSome(100);
      store.put(key(8), value(77));
      store.compact();
      background.runSome(100);
      assertThat(store.stats().movedValues()).isPositive();
      assertThat(store.get(snapshot, key(8))).isEqualTo(value(8));
      assertThat(store.get(key(8))).isEqualTo(value(77));
    }
  }

  /** It is left alone, in this life and the next one; all else is read and written. */
  @Test
  void aSegmentThatTheDiskDoesNotGiveEndsNoWriting() {
    halfDead().close();
    String file = files(".log").getFirst();
    disk.world().unreadable = file;
    long moved = 0;
    for (int life = 0; life < 2; life++) {
      try (Store store = open()) {
        store.put(key(1), value(life));
        background.runSome(100);
        store.put(key(2), value(life));
        moved += store.stats().movedValues();
        assertThatExceptionOfType(StoreException.class)
            .isThrownBy(() -> store.get(key(0)))
            .withMessageContaining(file + ", offset ")
            .matches(e -> e.reason() == StoreException.Reason.DAMAGED);
        assertThat(store.get(key(KEYS - 1))).isNotNull();
      }
    }
    assertThat(moved).isPositive();
  }

  /** That a merge has failed is no reason to lose them. */
  @Test
  void closeMakesDurableWhatWasWrittenBeforeAFailure() {
    Store store = halfDead();
    for (int tree = 0; tree < 8; tree++) {
      store.put(key(tree), value(tree));
      store.flush();
    }
    store.put(key(0), "last".getBytes());
    disk.world().failingCall = disk.world().calls + 1;
    background.runSome(100);
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> store.put(key(0), value(0)))
        .matches(e -> e.reason() == StoreException.Reason.READ_ONLY);
    store.close();
    for (int seed = 0; seed < 10; seed++) {
      SimulatedDisk crashed = disk.crashed(new Random(seed));
      StoreOptions options = StoreOptions.defaults().withTables(1000, 4 << 20);
      try (Store again = Store.open(crashed, options, new Inline())) {
        assertThat(again.get(key(0))).isEqualTo("last".getBytes());
      }
    }
  }

  /** Where the keys of a segment lead cannot be read, so it stays. */
  @Test
  void aTreeThatTheDiskDoesNotGiveEndsNoWriting() {
    halfDead().close();
    try (Store store = open()) {
      disk.world().unreadable = files(".index").getLast();
      background.runSome(100);
      store.put(key(1), value(1));
      assertThat(store.get(key(1))).isEqualTo(value(1));
    }
  }

  private List<String> files(String suffix) {
    return disk.contents().keySet().stream()
        .filter(name -> name.endsWith(suffix))
        .map(name -> name.substring(name.lastIndexOf('/') + 1))
        .toList();
  }
}
