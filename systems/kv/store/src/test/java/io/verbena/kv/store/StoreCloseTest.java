// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static io.verbena.kv.store.CountedValue.key;
import static io.verbena.kv.store.CountedValue.numberOf;
import static io.verbena.kv.store.Crew.await;
import static io.verbena.kv.store.Crew.platform;
import static io.verbena.kv.store.StoreConcurrencyTest.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.kv.store.Crew.Work;
import io.verbena.kv.store.StoreException.Reason;
import io.verbena.kv.store.StoreSimulationTest.Inline;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that are closed while threads use them, and afterwards. */
@Tag("timing")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class StoreCloseTest {
  private static final int WRITERS = 2;
  private static final int KEYS = 100; // of each writer

  @TempDir private Path folder;

  private final long seed = Long.getLong("verbena.seed", System.nanoTime());
  private final Crew crew = new Crew(seed);

  @Test
  void callsDuringCloseAreDoneOrRefusedAndWhatWasAcknowledgedStays() throws Exception {
    Random random = new Random(seed);
    AtomicLongArray acknowledged = new AtomicLongArray(WRITERS * KEYS);
    AtomicLongArray begun = new AtomicLongArray(WRITERS * KEYS);
    for (int round = 0; round < 40; round++) {
      Store store = Store.open(folder, options());
      Crew all = new Crew(seed);
      AtomicLong calls = new AtomicLong();
      for (int writer = 0; writer < WRITERS; writer++) {
        int first = writer * KEYS;
        Random own = new Random(seed + 3 * round + writer);
        untilRefused(all, calls, () -> writeCounted(store, own, first, acknowledged, begun));
      }
      Random reading = new Random(seed + 3 * round + 2);
      untilRefused(all, calls, () -> readWhole(store, reading.nextInt(WRITERS * KEYS)));
      untilRefused(all, calls, () -> scanWhole(store));
      untilRefused(all, calls, store::flush);
      int enough = 1 + random.nextInt(400);
      await("calls were made", () -> calls.get() >= enough || !all.goesOn());
      store.close();
      all.await();
      try (Store opened = Store.open(folder, options())) {
        for (int key = 0; key < WRITERS * KEYS; key++) {
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
            store::snapshot,
            () -> store.scan(new byte[0], null),
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

  @Test
  void closeWaitsForAVerificationWhichEnds() throws Exception {
    SimulatedDisk disk = new SimulatedDisk();
    CountDownLatch reads = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    Store store = Store.open(disk, options(), new Inline());
    for (int i = 0; i < 5000; i++) {
      store.put(key(i), CountedValue.of(i, i));
    }
    store.flush();
    crew.work(
        platform(),
        () -> {
          Thread verifying = Thread.currentThread();
          disk.world().onRead =
              file -> {
                if (Thread.currentThread() == verifying && file.endsWith(".index")) {
                  reads.countDown();
                  uninterrupted(goesOn);
                }
              };
          assertThatExceptionOfType(StoreException.class)
              .isThrownBy(store::verify)
              .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED));
        });
    reads.await();
    Thread closing = crew.work(platform(), store::close);
    await("close waits", () -> closing.getState() == Thread.State.WAITING);
    goesOn.countDown();
    crew.await();
    Store.open(disk, options(), new Inline()).close();
  }

  private static void uninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** They were the process's before, which was killed, and are not durable by that. */
  @Test
  void closeMakesDurableWhatWasRecovered() {
    for (int round = 0; round < 20; round++) {
      SimulatedDisk disk = new SimulatedDisk();
      Store killed = Store.open(disk, options(), new Inline());
      for (int i = 0; i < 50; i++) {
        killed.put(key(i), CountedValue.of(i, i));
      }
      SimulatedDisk left = disk.killed();
      StoreSimulationTest.forget(killed);
      Store.open(left, options(), new Inline()).close();
      try (Store store =
          Store.open(left.crashed(new Random(seed + round)), options(), new Inline())) {
        for (int i = 0; i < 50; i++) {
          assertThat(store.get(key(i)))
              .as("-Dverbena.seed=%d", seed)
              .isEqualTo(CountedValue.of(i, i));
        }
      }
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
    assertThat(gate.held.await(Crew.BOUND.toMinutes(), TimeUnit.MINUTES))
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
}
