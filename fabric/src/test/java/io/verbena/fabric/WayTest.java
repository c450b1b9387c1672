// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which way operations go, and that they come to the same whichever it is. */
class WayTest {

  private static final int BYTES = 1 << 16;

  /** Two nodes, of which the first may use the device alone. */
  private record Sides(Fabric one, Fabric two, Region mine, Region theirs, Remote remote)
      implements AutoCloseable {

    static Sides open(boolean deviceOnly) {
      FabricBuilder first = Two.builder(1);
      Fabric one = (deviceOnly ? first.deviceOnly() : first).open();
      Fabric two = Two.builder(2).open();
      one.addPeer(2, two.address());
      two.drive();
      Region theirs = two.allocate(BYTES);
      Remote remote = Remote.of(theirs.share(0, BYTES, Access.values()));
      return new Sides(one, two, one.allocate(BYTES), theirs, remote);
    }

    Link link() {
      return one.link(2, Two.LONG);
    }

    long word(long offset) {
      return theirs.memory().get(ValueLayout.JAVA_LONG, offset);
    }

    @Override
    public void close() {
      remote.close();
      mine.close();
      theirs.close();
      one.close();
      two.close();
    }
  }

  @Test
  void mappedMemoryIsTheWayOnOneHost() {
    try (Sides sides = Sides.open(false)) {
      Link link = sides.link();
      Two.get(link.put(sides.mine, 0, sides.remote, 0, 8));
      assertThat(link.way().kind()).isEqualTo(Way.Kind.MAPPED);
      assertThat(link.way().sentence()).isEqualTo("1 operations by mapped memory, 0 by the device");
    }
  }

  @Test
  void theDeviceAloneIsTheWayWhereThatIsWished() {
    try (Sides sides = Sides.open(true)) {
      Link link = sides.link();
      Two.get(link.put(sides.mine, 0, sides.remote, 0, 8));
      assertThat(link.way().kind()).isEqualTo(Way.Kind.DEVICE);
      assertThat(link.way().sentence()).contains("1 by the device", "switched off here");
    }
  }

  @Test
  void aLinkThatIsDownHasNoWay() {
    try (Sides sides = Sides.open(false)) {
      Link link = sides.link();
      link.disconnect("enough");
      assertThatExceptionOfType(ClosedException.class)
          .isThrownBy(
              () -> {
                while (true) { // until it is down
                  link.way();
                  link.counters();
                }
              });
      sides.one.close();
      assertThatExceptionOfType(ClosedException.class).isThrownBy(link::way);
      assertThatExceptionOfType(ClosedException.class).isThrownBy(link::counters);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void operationsComeToTheSame(boolean deviceOnly) {
    try (Sides sides = Sides.open(deviceOnly)) {
      Link link = sides.link();
      sides.mine.memory().fill((byte) 7);
      Two.get(link.put(sides.mine, 0, sides.remote, 0, BYTES));
      assertThat(sides.theirs.memory().mismatch(sides.mine.memory())).isEqualTo(-1);
      sides.theirs.memory().set(ValueLayout.JAVA_LONG, 8, 5);
      Two.get(link.get(sides.mine, 16, sides.remote, 8, 8));
      assertThat(sides.mine.memory().get(ValueLayout.JAVA_LONG, 16)).isEqualTo(5);
      assertThat(Two.get(link.fetchAdd(sides.remote, 8, 2))).isEqualTo(5);
      assertThat(Two.get(link.compareSwap(sides.remote, 8, 7, -1))).isEqualTo(7);
      assertThat(sides.word(8)).isEqualTo(-1);
      Two.get(link.flush());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allOfABatchIsDoneInItsOrder(boolean deviceOnly) {
    try (Sides sides = Sides.open(deviceOnly)) {
      Link link = sides.link();
      CompletableFuture<?>[] asked = new CompletableFuture<?>[40];
      link.batch(
          batch -> {
            for (int i = 0; i < asked.length; i += 2) {
              asked[i] = batch.fetchAdd(sides.remote, 0, 1);
              asked[i + 1] = batch.fenced().get(sides.mine, i * 8L, sides.remote, 0, 8);
            }
            assertThat(asked[0]).isNotDone();
            assertThat(sides.word(0)).isZero(); // nothing has begun
          });
      for (int i = 0; i < asked.length; i += 2) {
        assertThat(Two.get(asked[i])).isEqualTo((long) i / 2);
        Two.get(asked[i + 1]);
        assertThat(sides.mine.memory().get(ValueLayout.JAVA_LONG, i * 8L))
            .as("behind fetch-and-add %d", i / 2)
            .isEqualTo(i / 2 + 1);
      }
    }
  }

  @Test
  void ofABatchThatOneCannotBePostedTheOthersAre() {
    try (Sides sides = Sides.open(false)) {
      CompletableFuture<?>[] asked = new CompletableFuture<?>[3];
      sides
          .link()
          .batch(
              batch -> {
                asked[0] = batch.fetchAdd(sides.remote, 0, 1);
                asked[1] = batch.put(sides.mine, 0, sides.remote, BYTES, 8);
                asked[2] = batch.fetchAdd(sides.remote, 0, 1);
              });
      assertThat(Two.get(asked[0])).isEqualTo(0L);
      assertThatExceptionOfType(RefusedException.class)
          .isThrownBy(() -> Two.get(asked[1]))
          .withMessageContaining(String.valueOf(BYTES));
      assertThat(Two.get(asked[2])).isEqualTo(1L);
    }
  }

  /** What is closed before the batch is posted fails alone. */
  @Test
  void ofABatchWhoseMemoryIsClosedTheOthersArePosted() {
    try (Sides sides = Sides.open(false)) {
      Region gone = sides.one.allocate(64);
      CompletableFuture<?>[] asked = new CompletableFuture<?>[3];
      sides
          .link()
          .batch(
              batch -> {
                asked[0] = batch.fetchAdd(sides.remote, 0, 1);
                asked[1] = batch.put(gone, 0, sides.remote, 8, 8);
                asked[2] = batch.fetchAdd(sides.remote, 0, 1);
                gone.close();
              });
      assertThat(Two.get(asked[0])).isEqualTo(0L);
      assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> Two.get(asked[1]));
      assertThat(Two.get(asked[2])).isEqualTo(1L);
    }
  }

  @Test
  void aBatchThatFailsToBeAskedForIsNotPosted() {
    try (Sides sides = Sides.open(false)) {
      Link link = sides.link();
      CompletableFuture<?>[] asked = new CompletableFuture<?>[1];
      assertThatExceptionOfType(ArithmeticException.class)
          .isThrownBy(
              () ->
                  link.batch(
                      batch -> {
                        asked[0] = batch.fetchAdd(sides.remote, 0, 1);
                        throw new ArithmeticException("as it should");
                      }));
      assertThatExceptionOfType(RefusedException.class)
          .isThrownBy(() -> Two.get(asked[0]))
          .withMessageContaining("given up");
      assertThat(Two.get(link.fetchAdd(sides.remote, 0, 1))).isZero();
    }
  }

  // ---------------------------------------------------------------- 4 bytes

  @Test
  void shortAtomicsGoByMappedMemory() {
    try (Sides sides = Sides.open(false)) {
      Link link = sides.link();
      assertThat(Two.get(link.fetchAddInt(sides.remote, 4, -3))).isZero();
      assertThat(Two.get(link.fetchAddInt(sides.remote, 4, 1))).isEqualTo(-3);
      assertThat(Two.get(link.compareSwapInt(sides.remote, 4, -2, 9))).isEqualTo(-2);
      assertThat(Two.get(link.compareSwapInt(sides.remote, 4, -2, 1))).isEqualTo(9);
      assertThat(sides.theirs.memory().get(ValueLayout.JAVA_INT, 0)).isZero();
      assertThat(sides.theirs.memory().get(ValueLayout.JAVA_INT, 4)).isEqualTo(9);
      assertThat(sides.theirs.memory().get(ValueLayout.JAVA_INT, 8)).isZero();
    }
  }

  @Test
  void shortAtomicsAreRefusedWhereNothingIsMapped() {
    try (Sides sides = Sides.open(true)) {
      Link link = sides.link();
      assertThatExceptionOfType(RefusedException.class)
          .isThrownBy(() -> Two.get(link.fetchAddInt(sides.remote, 4, 1)))
          .withMessageContaining("4 bytes go by mapped memory alone");
      assertThat(Two.get(link.fetchAdd(sides.remote, 8, 1))).isZero(); // nothing is disturbed
      assertThatExceptionOfType(RefusedException.class)
          .isThrownBy(() -> Two.get(link.compareSwapInt(sides.remote, 4, 1, 2)));
    }
  }

  @Test
  void shortAtomicsArePolledFor() {
    try (Sides sides = Sides.open(false)) {
      Operations operations = sides.link().operations(4);
      operations
          .fetchAddInt(sides.mine, 0, sides.remote, 4, 5, 1)
          .compareSwapInt(sides.mine, 4, sides.remote, 4, 5, -1, 2);
      assertThat(operations.post()).isEqualTo(2);
      Completions done = new Completions(4);
      for (long cookie = 1; cookie < 3; cookie += done.count()) {
        sides.one.poll(done);
        for (int i = 0; i < done.count(); i++) {
          assertThat(done.cookie(i)).isEqualTo(cookie + i);
          assertThat(done.isDone(i)).as(done.sentence(i)).isTrue();
        }
      }
      assertThat(sides.mine.memory().get(ValueLayout.JAVA_INT, 0)).isZero();
      assertThat(sides.mine.memory().get(ValueLayout.JAVA_INT, 4)).isEqualTo(5);
      assertThat(sides.theirs.memory().get(ValueLayout.JAVA_INT, 4)).isEqualTo(-1);
    }
  }

  // ---------------------------------------------------------------- counted

  @Test
  void aLinkCountsWhatItDoes() {
    try (Sides sides = Sides.open(false)) {
      Link link = sides.link();
      Two.get(link.put(sides.mine, 0, sides.remote, 0, 100));
      Two.get(link.get(sides.mine, 0, sides.remote, 0, 30));
      Two.get(link.fetchAdd(sides.remote, 0, 1));
      Two.get(link.putSignal(sides.mine, 0, sides.remote, 0, 1, 5));
      Two.get(link.flush());
      assertThatExceptionOfType(RefusedException.class)
          .isThrownBy(() -> Two.get(link.put(sides.mine, 0, sides.remote, BYTES, 1)));
      LinkCounters counted = link.counters();
      assertThat(counted)
          .isEqualTo(
              new LinkCounters(
                  2,
                  0,
                  2,
                  1,
                  1,
                  1,
                  1,
                  101,
                  30,
                  counted.byMapping(),
                  counted.byDevice(),
                  counted.noRoom(),
                  1,
                  0));
      assertThat(counted.byMapping() + counted.byDevice()).isEqualTo(5);
      assertThat(counted.byDevice()).isPositive(); // a signal goes no other way
    }
  }
}
