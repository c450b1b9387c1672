// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static io.verbena.kv.store.CountedValue.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.kv.store.StoreException.Reason;
import io.verbena.kv.store.StoreSimulationTest.Inline;
import java.io.IOException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a disk is filled with, what is told when it is full, and how a store gets out of it. */
class StoreFullTest {
  private final SimulatedDisk disk = new SimulatedDisk();

  private static StoreOptions options() {
    return StoreOptions.defaults()
        .withDurability(Durability.MEMORY)
        .withTables(100, 4 << 20)
        .withCacheBytes(1 << 20);
  }

  private static void assertReason(Reason reason, ThrowingCallable call) {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason));
  }

  /** Long values take no room in a table, so the number of pairs would bound nothing. */
  @Test
  void theLogOfATableIsBounded() {
    StoreOptions options = options().withTables(96_000, 4 << 20);
    Inline background = new Inline();
    try (Store store = Store.open(disk, options, background)) {
      for (int i = 0; i < 200; i++) {
        store.put(key(1), new byte[1 << 20]);
        background.runSome(100);
      }
      assertThat(store.stats().flushes()).isGreaterThan(5);
      assertThat(store.stats().logBytes()).isLessThan(70L << 20);
    }
  }

  @Test
  void deletesAndACompactionMakeSpace() {
    disk.world().capacity = 64 << 20;
    Inline background = new Inline();
    try (Store store = Store.open(disk, options().withTables(96_000, 4 << 20), background)) {
      assertReason(
          Reason.FULL,
          () -> {
            for (int i = 0; i < 100; i++) {
              store.put(key(i), new byte[1 << 20]);
            }
          });
      for (int i = 0; i < 100; i++) {
        store.delete(key(i));
      }
      disk.world().capacity = (64 << 20) - disk.usedBytes();
      store.compact();
      background.runSome(100);
      assertThat(disk.usedBytes()).isLessThan(16 << 20);
      disk.world().capacity = (64 << 20) - disk.usedBytes();
      store.put(key(1), new byte[1 << 20]);
    }
  }

  /** Whichever call of a compaction meets a full disk. */
  @Test
  void aTreeThatIsNotCommittedLeavesNoFiles() throws IOException {
    Store.open(disk, options(), new Inline()).close();
    boolean done = false;
    for (int call = 1; !done; call++) {
      SimulatedDisk copy = disk.killed();
      Inline background = new Inline();
      try (Store store = Store.open(copy, options(), background)) {
        for (int i = 0; i < 300; i++) {
          store.put(key(i), CountedValue.of(i, i));
        }
        store.flush();
        background.runSome(100);
        List<String> before = indexFiles(copy);
        copy.world().full = true;
        copy.world().failingCall = copy.world().calls + call;
        try {
          store.compact();
          done = copy.world().calls < copy.world().failingCall;
        } catch (StoreException e) {
          assertThat(e.reason()).isIn(Reason.FULL, Reason.READ_ONLY, Reason.IO, Reason.DAMAGED);
          if (e.reason() == Reason.FULL) {
            background.runSome(100);
            assertThat(indexFiles(copy)).as("call %d", call).isEqualTo(before);
            store.put(key(1), new byte[1]);
            store.compact();
          }
        }
        copy.world().failingCall = -1;
      } catch (StoreException e) {
        assertThat(e.reason()).isEqualTo(Reason.READ_ONLY);
      }
    }
  }

  private static List<String> indexFiles(SimulatedDisk disk) throws IOException {
    return disk.folder("region-0").list().stream()
        .filter(name -> name.endsWith(".index"))
        .sorted()
        .toList();
  }

  /** The first look after space was made finds it. */
  @Test
  void whatAFullDiskHasEndedIsTriedAgain() {
    Inline background = new Inline();
    try (Store store = Store.open(disk, options(), background)) {
      for (int i = 0; i < 50; i++) {
        store.put(key(i), CountedValue.of(i, i));
      }
      long capacity = disk.world().capacity;
      disk.world().capacity = 0;
      assertReason(Reason.FULL, store::flush);
      assertReason(Reason.FULL, store::flush);
      disk.world().capacity = capacity;
      store.flush();
      assertThat(store.stats().flushes()).isEqualTo(1);
    }
  }

  /** Records of it may be whole in the file, and come back. */
  @Test
  void aWriteThatCannotBeCutOffIsNotCalledRefused() {
    try (Store store = Store.open(disk, options(), new Inline())) {
      store.put(key(1), new byte[10]);
      disk.world().capacity = 0;
      disk.world().failingCall = disk.world().calls + 2; // the truncation
      assertReason(Reason.READ_ONLY, () -> store.put(key(2), new byte[10]));
      assertReason(Reason.READ_ONLY, () -> store.put(key(3), new byte[10]));
    }
  }
}
