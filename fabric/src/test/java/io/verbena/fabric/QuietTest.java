// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbena.testkit.Pattern;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Quiet of all links: of one node with two others. */
@Tag("timing")
class QuietTest {

  private static final int BYTES = 1 << 20;

  private Two nodes = new Two();
  private Fabric third = Two.builder(3).open();

  @AfterEach
  void close() {
    nodes.close();
    third.close();
  }

  private void byDeviceOnly() {
    close();
    nodes = new Two(true);
    third = Two.builder(3).deviceOnly().open();
  }

  private Link linkWithThird() {
    nodes.one.addPeer(3, third.address());
    return nodes.one.link(3, Two.LONG);
  }

  private static boolean holds(Region region, byte[] bytes) {
    return MemorySegment.ofArray(bytes).mismatch(region.memory()) == -1;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasPostedOnAllLinksIsInItsPlace(boolean deviceOnly) {
    if (deviceOnly) {
      byDeviceOnly();
    }
    byte[] bytes = Pattern.bytes(7, BYTES);
    Completions done = new Completions(8);
    try (Region mine = nodes.one.allocate(BYTES);
        Region second = nodes.two.allocate(BYTES);
        Region thirds = third.allocate(BYTES);
        Remote toSecond = Remote.of(second.share(0, BYTES, Access.PUT));
        Remote toThird = Remote.of(thirds.share(0, BYTES, Access.PUT))) {
      mine.memory().copyFrom(MemorySegment.ofArray(bytes));
      Operations one = nodes.link().operations(2).put(mine, 0, toSecond, 0, BYTES, 1);
      Operations other = linkWithThird().operations(2).put(mine, 0, toThird, 0, BYTES, 2);
      assertThat(one.post() + other.post()).isEqualTo(2);
      assertThat(nodes.one.quiet(Two.LONG)).isEqualTo(OptionalLong.of(0));
      assertThat(holds(second, bytes)).isTrue();
      assertThat(holds(thirds, bytes)).isTrue();
      assertThat(nodes.one.poll(done)).as("what quiet has left to poll").isEqualTo(2);
      assertThat(nodes.one.quiet(Duration.ZERO)).isEqualTo(OptionalLong.of(0));
    }
  }

  @Test
  void whatHasFailedIsCountedAndToldByPoll() {
    Completions done = new Completions(8);
    try (Region mine = nodes.one.allocate(64);
        Region theirs = nodes.two.allocate(64)) {
      RegionKey key = theirs.share(0, 64, Access.PUT);
      try (Remote remote = Two.unseen(key)) {
        Operations operations = nodes.link().operations(2).put(mine, 0, remote, 0, 64, 9);
        theirs.revoke(key);
        assertThat(operations.post()).isEqualTo(1);
        assertThat(nodes.one.quiet(Two.LONG)).isEqualTo(OptionalLong.of(1));
        assertThat(nodes.one.poll(done)).isEqualTo(1);
        assertThat(done.outcome(0)).isEqualTo(Outcome.REFUSED);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void futuresThatWereAskedBeforeAreCompleted(boolean deviceOnly) {
    if (deviceOnly) {
      byDeviceOnly();
    }
    nodes.two.drive();
    third.drive();
    try (Region mine = nodes.one.allocate(BYTES);
        Region second = nodes.two.allocate(BYTES);
        Region thirds = third.allocate(BYTES)) {
      RegionKey dead = thirds.share(0, BYTES, Access.PUT);
      thirds.revoke(dead);
      try (Remote toSecond = Remote.of(second.share(0, BYTES, Access.PUT));
          Remote nowhere = Remote.of(dead)) {
        Link one = nodes.link();
        Link other = linkWithThird();
        List<CompletableFuture<Void>> asked = new ArrayList<>();
        for (int i = 0; i < 2000; i++) { // more than there is room for
          mine.memory().set(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i, i + 1);
          asked.add(one.put(mine, 8L * i, toSecond, 8L * i, 8));
        }
        asked.add(other.put(mine, 0, nowhere, 0, 8));
        Two.get(nodes.one.quiet());
        assertThat(asked).allMatch(CompletableFuture::isDone);
        assertThat(asked.getLast()).isCompletedExceptionally();
        assertThat(asked.subList(0, 2000)).noneMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(second.memory().asSlice(0, 16_000).mismatch(mine.memory().asSlice(0, 16_000)))
            .isEqualTo(-1);
      }
    }
  }

  @Test
  void goesWithFuturesOrWithPollingAndNotWithAClosedFabric() {
    nodes.one.drive();
    assertThatIllegalStateException().isThrownBy(() -> nodes.one.quiet(Duration.ZERO));
    assertThat(nodes.two.quiet(Duration.ZERO)).isEqualTo(OptionalLong.of(0));
    assertThatIllegalStateException().isThrownBy(nodes.two::quiet);
    nodes.close();
    assertThatExceptionOfType(ClosedException.class).isThrownBy(nodes.one::quiet);
    assertThatExceptionOfType(ClosedException.class)
        .isThrownBy(() -> nodes.two.quiet(Duration.ZERO));
  }
}
