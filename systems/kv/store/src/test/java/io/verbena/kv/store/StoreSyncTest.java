// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static io.verbena.kv.store.CountedValue.key;
import static io.verbena.kv.store.Crew.await;
import static io.verbena.kv.store.Crew.platform;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes that wait for the disk beside each other, while one of them syncs. */
@Tag("timing")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class StoreSyncTest {
  private static final int WRITERS = 6;

  private final Crew crew = new Crew(0);
  private final GatedDisk.Gate gate = new GatedDisk.Gate();
  private final SimulatedDisk disk = new SimulatedDisk();
  private Store store;

  @BeforeEach
  void open() {
    store = open(disk, Durability.SYNC);
  }

  /** The first write makes files. */
  private Store open(SimulatedDisk disk, Durability durability) {
    StoreOptions options = StoreOptions.defaults().withDurability(durability);
    Store opened = Store.open(new GatedDisk(disk, gate), options, Background.threads(options));
    opened.put(key(0), new byte[10]);
    return opened;
  }

  /** Has a thread in a sync, and others behind it that have written and wait. */
  private void writersOfWhichOneSyncs(Crew.Work work) throws InterruptedException {
    gate.heldName = ".log.sync";
    gate.awaitHeld(crew.work(platform(), work));
    for (int i = 1; i < WRITERS; i++) {
      crew.work(platform(), work);
    }
    await("all are applied", () -> store.stats().tableEntries() == 1 + WRITERS);
  }

  @Test
  void oneSyncsForAllThatWait() throws Exception {
    try (Store open = store;
        AutoCloseable opening = gate.open::countDown) {
      AtomicInteger number = new AtomicInteger();
      writersOfWhichOneSyncs(() -> open.put(key(number.incrementAndGet()), new byte[10]));
      assertThat(open.get(key(1))).isNull(); // it is not durable
      long before = disk.world().calls;
      gate.open.countDown();
      crew.await();
      assertThat(disk.world().calls - before).isEqualTo(2);
      for (int i = 1; i <= WRITERS; i++) {
        assertThat(open.get(key(i))).isNotNull();
      }
    }
  }

  @Test
  void allThatWaitHearOfASyncThatFails() throws Exception {
    try (AutoCloseable opening = gate.open::countDown) {
      AtomicInteger number = new AtomicInteger();
      writersOfWhichOneSyncs(
          () -> assertRefused(() -> store.put(key(number.incrementAndGet()), new byte[10])));
      disk.world().failingCall = disk.world().calls + 1;
      gate.open.countDown();
      crew.await();
      for (int i = 1; i <= WRITERS; i++) {
        assertThat(store.get(key(i))).isNull();
      }
    }
    assertRefused(store::close); // what they have written is not durable
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(call)
        .matches(e -> e.reason() == StoreException.Reason.READ_ONLY);
  }

  /** The kernel tells a failure to one sync alone, and those who wait have to hear of it. */
  @Test
  void aWriteIsCutOffOnlyWhenTheSyncBesideItIsOver() throws Exception {
    try (Store open = store;
        AutoCloseable opening = gate.open::countDown) {
      gate.heldName = ".log.sync";
      gate.awaitHeld(crew.work(platform(), () -> open.put(key(1), new byte[10])));
      long before = disk.world().calls;
      disk.world().failingCall = before + 1;
      Thread failing =
          crew.work(
              platform(),
              () ->
                  assertThatExceptionOfType(StoreException.class)
                      .isThrownBy(() -> open.put(key(2), new byte[10]))
                      .matches(e -> e.reason() == StoreException.Reason.IO));
      await(
          "the write has failed, and waits or is over",
          () ->
              disk.world().calls > before
                  && (failing.getState() == Thread.State.WAITING || !failing.isAlive()));
      assertThat(disk.world().calls - before).isEqualTo(1); // it is not cut off yet
      gate.open.countDown();
      crew.await();
      assertThat(open.get(key(1))).isNotNull();
      assertThat(open.get(key(2))).isNull();
    }
  }

  /** It was appended when others could still write. */
  @Test
  void aWriteThatComesTooLateIsRefusedAndEverythingCanBeRead() throws Exception {
    SimulatedDisk another = new SimulatedDisk();
    Store late = open(another, Durability.MEMORY);
    try (AutoCloseable first = store;
        AutoCloseable opening = gate.open::countDown) {
      gate.heldName = ".log.write";
      gate.awaitHeld(crew.work(platform(), () -> late.put(key(1), new byte[10])));
      Thread second =
          crew.work(platform(), () -> assertRefused(() -> late.put(key(2), new byte[10])));
      await("it waits to be written", () -> second.getState() == Thread.State.WAITING);
      another.world().failingCall = another.world().calls + 1;
      assertRefused(late::sync);
      gate.open.countDown();
      crew.await();
      late.verify();
      assertThat(late.get(key(1))).isNotNull();
      assertThat(late.get(key(2))).isNull();
    }
    assertRefused(late::close);
  }

  /** The kernel has told it to the flush, and would not tell the log. */
  @Test
  void closeTellsThatNamesWhichAFlushWasToSyncAreNotDurable() throws Exception {
    SimulatedDisk another = new SimulatedDisk();
    Store late = open(another, Durability.MEMORY);
    try (AutoCloseable first = store;
        AutoCloseable opening = gate.open::countDown) {
      gate.heldName = ".index.write";
      gate.awaitHeld(crew.work(platform(), () -> assertRefused(late::flush)));
      for (int i = 0; i < 3; i++) {
        late.put(key(i), new byte[1 << 20]); // the second one begins a segment
      }
      another.world().namesFail = true;
      gate.open.countDown();
      crew.await();
    }
    assertRefused(late::close);
  }
}
