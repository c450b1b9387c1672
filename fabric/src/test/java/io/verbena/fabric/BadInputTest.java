// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program can get wrong: it is told by name, and nothing else is disturbed. */
@Tag("timing")
class BadInputTest {

  private static final int BYTES = 4096;

  private final Two nodes = new Two();
  private final Region mine = nodes.one.allocate(BYTES);
  private final Region theirs = nodes.two.allocate(BYTES);
  private final RegionKey key = theirs.share(0, BYTES, Access.values());
  private final Remote remote = Remote.of(key);
  private final Link link = nodes.link();

  BadInputTest() {
    nodes.two.drive();
  }

  @AfterEach
  void allIsWellAfterwards() {
    try (Region own = nodes.one.allocate(8);
        Region other = nodes.two.allocate(8);
        Remote there = Remote.of(other.share(0, 8, Access.PUT))) {
      Link still = nodes.link();
      Two.get(still.put(own, 0, there, 0, 8));
    } finally {
      remote.close();
      mine.close();
      nodes.close();
      theirs.close();
    }
  }

  // ---------------------------------------------------------------- sizes

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE})
  void memoryOfAnImpossibleSize(long bytes) {
    assertThatThrownBy(() -> nodes.one.allocate(bytes))
        .isInstanceOfAny(FabricException.class, IllegalArgumentException.class)
        .hasMessageMatching("(?s).*\\d.*");
  }

  @Test
  void memoryThatCannotBeRegistered() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> nodes.one.register(MemorySegment.ofArray(new byte[8])));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> nodes.one.register(Arena.ofAuto().allocate(8).asReadOnly()));
    assertThatThrownBy(() -> nodes.one.register(Arena.ofAuto().allocate(8).asSlice(0, 0)))
        .isInstanceOfAny(FabricException.class, IllegalArgumentException.class);
    MemorySegment gone;
    try (Arena arena = Arena.ofConfined()) {
      gone = arena.allocate(8);
    }
    assertThatIllegalStateException().isThrownBy(() -> nodes.one.register(gone));
  }

  @ParameterizedTest
  @CsvSource({"-1,8", "0,-1", "4089,8", "0,4097", "9223372036854775807,9223372036854775807", "0,0"})
  void partsThatARegionDoesNotHave(long offset, long length) {
    assertThatThrownBy(() -> theirs.share(offset, length, Access.PUT))
        .isInstanceOfAny(FabricException.class, IllegalArgumentException.class);
  }

  @Test
  void aShareThatAllowsNothing() {
    assertThatThrownBy(() -> theirs.share(0, 8))
        .isInstanceOfAny(FabricException.class, IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0,0",
    "4089,0,8",
    "0,4089,8",
    "0,0,4097",
    "0,9223372036854775807,8",
    "9223372036854775807,0,9223372036854775807"
  })
  void boundsOfAnOperation(long localOffset, long offset, long length) {
    assertRefused(link.put(mine, localOffset, remote, offset, length));
    assertRefused(link.get(mine, localOffset, remote, offset, length));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 4, 4092, 4096, Long.MAX_VALUE - 7})
  void placesOfAnAtomic(long offset) {
    assertRefused(link.fetchAdd(remote, offset, 1));
    assertRefused(link.compareSwap(remote, offset, 0, 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 4094, 4096})
  void placesOfAShortAtomic(long offset) {
    assertRefused(link.fetchAddInt(remote, offset, 1));
    assertRefused(link.compareSwapInt(remote, offset, 0, 1));
  }

  private static void assertRefused(CompletableFuture<?> future) {
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> Two.get(future))
        .withMessageContaining("node 2");
  }

  // ---------------------------------------------------------------- what is closed

  @Test
  void aRegionThatIsClosed() {
    Region gone = nodes.one.allocate(64);
    gone.close();
    gone.close();
    assertThatExceptionOfType(ClosedException.class)
        .isThrownBy(() -> link.put(gone, 0, remote, 0, 8));
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> gone.share(0, 8, Access.GET));
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> gone.revoke(key));
    assertThatIllegalStateException().isThrownBy(() -> gone.memory().get(ValueLayout.JAVA_BYTE, 0));
  }

  /** Its key is dead: the link fails with the operation at most, and comes again. */
  @Test
  void aKeyOfARegionThatIsClosed() {
    Region gone = nodes.two.allocate(64);
    RegionKey dead = gone.share(0, 64, Access.values());
    gone.close();
    try (Remote there = Remote.of(dead)) {
      assertThatExceptionOfType(FabricException.class)
          .isThrownBy(() -> Two.get(link.put(mine, 0, there, 0, 8)));
    }
  }

  @Test
  void aRemoteThatIsClosed() {
    Remote gone = Remote.of(key);
    gone.close();
    gone.close();
    assertThatExceptionOfType(ClosedException.class)
        .isThrownBy(() -> link.put(mine, 0, gone, 0, 8));
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> link.fetchAdd(gone, 0, 1));
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> link.fetchAddInt(gone, 0, 1));
  }

  @Test
  void aKeyOfAnotherRegion() {
    assertThatExceptionOfType(FabricException.class).isThrownBy(() -> mine.revoke(key));
  }

  @Test
  void aRegionOfAnotherFabric() {
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> Two.get(link.put(theirs, 0, remote, 0, 8)))
        .withMessageContaining("another domain");
  }

  // ---------------------------------------------------------------- whose turn it is

  @Test
  void aBatchThatIsOver() {
    Link[] kept = {null};
    link.batch(batch -> kept[0] = batch);
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> Two.get(kept[0].put(mine, 0, remote, 0, 8)))
        .withMessageContaining("its batch is over");
  }

  @Test
  void pollingOfADrivenFabricAndTheOtherWayRound() {
    Two.get(link.flush());
    assertThatIllegalStateException().isThrownBy(() -> link.operations(4));
    assertThatIllegalStateException().isThrownBy(() -> nodes.one.poll(new Completions(1)));
    try (Fabric polled = Two.builder(3).open()) {
      polled.poll(new Completions(1));
      assertThatIllegalStateException().isThrownBy(polled::drive);
    }
  }

  /** Its own thread closes it: nobody waits for himself. */
  @Test
  void aFabricThatIsClosedByItsOwnThread() throws Exception {
    Fabric other = Two.builder(3).open();
    other.addPeer(2, nodes.two.address());
    CompletableFuture<Boolean> closed =
        other
            .link(2, Two.LONG)
            .flush()
            .thenApply(
                done -> {
                  other.close();
                  return true;
                });
    assertThat(Two.get(closed)).isTrue();
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> other.allocate(8));
  }

  @Test
  void aBuilderIsToldAtOnce() {
    FabricBuilder builder = Two.builder(3);
    assertThatIllegalArgumentException().isThrownBy(() -> builder.maxLinks(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.channels(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.heartbeat(Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.deadAfter(Duration.ofNanos(-1)))
        .withMessageContaining("deadAfter");
    assertThatIllegalArgumentException().isThrownBy(() -> builder.life(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.cluster(""));
    assertThatIllegalStateException().isThrownBy(builder::reserve);
    assertThatIllegalArgumentException().isThrownBy(() -> Fabric.builder(-2).open());
    assertThatIllegalArgumentException().isThrownBy(() -> new Completions(0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Signals(0));
  }

  /** An empty key is no key, so it must not pass for one. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15})
  void aKeyThatIsTooShort(int bytes) {
    FabricBuilder builder = Two.builder(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.clusterKey(new byte[bytes]))
        .withMessageContaining("has " + bytes + " bytes")
        .withMessageContaining("16");
    builder.clusterKey(new byte[16]).open().close();
  }

  /** They are as long as the library has them. */
  @Test
  void timesThatAreTooLong() {
    FabricBuilder builder = Two.builder(3).deadAfter(Two.LONGEST);
    try (Fabric patient = builder.open()) {
      patient.addPeer(2, nodes.two.address());
      Two.get(patient.link(2, Two.LONGEST).flush());
    }
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(builder.heartbeat(Two.LONGEST)::open)
        .withMessageContaining("deadAfter must be more than heartbeat");
  }

  @Test
  void addressesThatAreNone() {
    nodes.one.addPeer(4, "nowhere"); // names are looked up when they are needed
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> nodes.one.link(4, Two.LONG))
        .withMessageContaining("nowhere");
    assertThatThrownBy(() -> nodes.one.addPeer(-5, "127.0.0.1:1"))
        .isInstanceOfAny(FabricException.class, IllegalArgumentException.class);
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> nodes.one.link(7, Duration.ofSeconds(1)))
        .withMessageContaining("node 7");
  }
}
