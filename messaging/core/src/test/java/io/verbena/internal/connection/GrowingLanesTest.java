// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.SendResult;
import io.verbena.internal.connection.TestHost.Blob;
import io.verbena.internal.connection.TestHost.Note;
import io.verbena.internal.lane.Frame;
import io.verbena.internal.memory.RetiredMemory;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Versions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Lanes begin small, go on in larger rings while they are full, and give them back. */
class GrowingLanesTest {

  private static final long LEAST_BYTES = 8192;
  private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(10);

  /** Two nodes, of which the left one sends numbered notes and the right one writes them down. */
  private static final class Pair implements AutoCloseable {
    final TestHost left = new TestHost(1).keepMemory();
    TestHost right = new TestHost(2);
    final HandWire wire = new HandWire(left, right);
    final List<Long> heard = new ArrayList<>();
    long sent;
    long nowNs = System.nanoTime();

    Pair() {
      this(Versions.SPOKEN.greatest());
    }

    Pair(int version) {
      right.writeDown(heard);
      wire.speak(version).link();
    }

    /** Sends the next note if there is room for it. */
    boolean send() {
      Note note = new Note(sent);
      boolean accepted = wire.left().trySend(left.codecOf(note), note) == SendResult.ACCEPTED;
      if (accepted) {
        sent++;
      }
      return accepted;
    }

    void fill() {
      while (send()) {
        // until there is no room
      }
    }

    void tick(long laterNs) {
      nowNs += laterNs;
      left.tick(nowNs);
      wire.left().tick(nowNs);
      wire.right().tick(nowNs);
    }

    Session session() {
      return wire.left().session();
    }

    long capacity() {
      return session().shared().ring().capacity();
    }

    void assertAllIsHeardInOrder() {
      wire.deliver();
      assertThat(heard).hasSize((int) sent);
      for (int i = 0; i < sent; i++) {
        assertThat(heard.get(i)).isEqualTo(i);
      }
      assertThat(left.news).isEmpty();
      assertThat(right.news).isEmpty();
    }

    @Override
    public void close() {
      wire.close();
    }
  }

  @Nested
  class Steps {
    private final Pair pair = new Pair();

    @BeforeEach
    void startClock() {
      pair.tick(0);
    }

    @AfterEach
    void close() {
      pair.close();
    }

    private void shrink() {
      pair.wire.deliver();
      pair.tick(1);
      pair.tick(IDLE_NS);
      pair.wire.deliver();
      pair.tick(1);
    }

    @Test
    void laneBeginsSmallAndTheOneForAnswersWithTheFirstAnswer() {
      assertThat(pair.capacity()).isEqualTo(LEAST_BYTES);
      assertThat(pair.session().openInner().ring().capacity()).isEqualTo(LEAST_BYTES);
    }

    @Test
    void fullLaneGoesOnInALargerRingAndKeepsTheOrder() {
      pair.fill();
      assertThat(pair.capacity()).isEqualTo(TestHost.LANE_BYTES);
      assertThat(pair.sent * 16).isGreaterThan(TestHost.LANE_BYTES);
      pair.assertAllIsHeardInOrder();
    }

    /** A lane that is about to close takes nothing: no larger ring would change that. */
    @Test
    void sealedLaneTriesNoOtherRing() {
      assertThat(pair.session().seal(Control.CLOSE, () -> true)).isTrue();
      for (int i = 0; i < 3; i++) {
        assertThat(pair.send()).isFalse();
      }
      pair.session().unseal();
      pair.fill();
      assertThat(pair.session().shared().ring().id()).isEqualTo(OutboundLanes.FIRST_SUCCESSOR);
    }

    @Test
    void smallRingIsFreedOnceItIsRead() {
      LaneMemory small = pair.session().shared().ring().memory();
      pair.fill();
      pair.tick(1);
      assertThat(small.segment().scope().isAlive()).isTrue(); // it holds what was not read
      pair.wire.deliver();
      pair.tick(1);
      pair.tick(RetiredMemory.KEPT_NS - 1);
      assertThat(small.segment().scope().isAlive()).isTrue(); // a thread may look at it still
      pair.tick(1);
      assertThat(small.segment().scope().isAlive()).isFalse();
      pair.assertAllIsHeardInOrder();
    }

    @Test
    void laneThatIsIdleForLongGivesItsMemoryBack() {
      pair.fill();
      pair.wire.deliver();
      LaneMemory large = pair.session().shared().ring().memory();
      pair.tick(1);
      pair.tick(IDLE_NS - 1);
      assertThat(pair.capacity()).isEqualTo(TestHost.LANE_BYTES);
      pair.send();
      pair.wire.deliver();
      pair.tick(IDLE_NS - 1);
      assertThat(pair.capacity()).isEqualTo(TestHost.LANE_BYTES);
      pair.tick(IDLE_NS);
      assertThat(pair.capacity()).isEqualTo(LEAST_BYTES);
      pair.wire.deliver();
      pair.tick(1);
      pair.tick(RetiredMemory.KEPT_NS);
      assertThat(large.segment().scope().isAlive()).isFalse();
      pair.send();
      pair.assertAllIsHeardInOrder();
    }

    @Test
    void growsAndShrinksAnyNumberOfTimes() {
      for (int i = 0; i < 50; i++) {
        pair.fill();
        shrink();
        assertThat(pair.capacity()).isEqualTo(LEAST_BYTES);
      }
      pair.assertAllIsHeardInOrder();
    }

    @Test
    void laneShrinksNoMoreWhenIdsRunOutButGrows() throws IOException {
      OutboundLanes lanes = pair.session().outbound();
      while (lanes.mayShrink()) {
        lanes.close(lanes.open(pair.session().shared(), false, LEAST_BYTES));
      }
      pair.fill();
      assertThat(pair.capacity()).isEqualTo(TestHost.LANE_BYTES);
      shrink();
      assertThat(pair.capacity()).isEqualTo(TestHost.LANE_BYTES);
      pair.assertAllIsHeardInOrder();
    }

    @Test
    void messageTooLargeForTheSmallRingIsOneFrameOfALargerOne() {
      Blob blob = new Blob(new byte[10_000]);
      assertThat(pair.wire.left().trySend(pair.left.codecOf(blob), blob))
          .isEqualTo(SendResult.ACCEPTED);
      assertThat(pair.capacity()).isEqualTo(TestHost.LANE_BYTES);
      pair.wire.deliver();
      assertThat(pair.heard).containsExactly(-10_000L);
    }

    @Test
    void fragmentsGoOnInTheNextRing() {
      Blob blob = new Blob(new byte[40_000]);
      pair.wire.deliverToWaiters();
      pair.wire.left().send(pair.left.codecOf(blob), blob);
      pair.wire.deliver();
      assertThat(pair.heard).containsExactly(-40_000L);
    }

    @Test
    void laneWithoutMemoryToGrowStaysAsItIsAndGrowsLater() {
      pair.wire.leftLacksMemory(true);
      pair.fill();
      assertThat(pair.capacity()).isEqualTo(LEAST_BYTES);
      pair.wire.deliver();
      assertThat(pair.send()).isTrue();
      pair.wire.leftLacksMemory(false);
      Blob blob = new Blob(new byte[10_000]); // it cannot wait for memory: it goes in fragments
      pair.wire.deliverToWaiters();
      pair.wire.left().send(pair.left.codecOf(blob), blob);
      pair.wire.deliver();
      assertThat(pair.heard).hasSize((int) pair.sent + 1).endsWith(-10_000L);
    }

    @Test
    void peerThatDoesNotKnowOfItGetsEverythingByOneLaneOfFullSize() throws IOException {
      try (Pair old = new Pair(1)) {
        assertThat(old.capacity()).isEqualTo(TestHost.LANE_BYTES);
        assertThat(old.session().openInner()).isSameAs(old.session().shared());
        assertThat(old.session().openLane().id()).isEqualTo(1);
        old.fill();
        old.assertAllIsHeardInOrder();
        old.tick(1);
        old.tick(IDLE_NS);
        assertThat(old.capacity()).isEqualTo(TestHost.LANE_BYTES);
      }
    }

    @Test
    void whatHandlersQueuedForTheInnerLaneGoesToAnOlderPeerByTheOnlyOne() {
      TestHost left = new TestHost(1);
      HandWire wire = new HandWire(left, pair.right).speak(1);
      Note note = new Note(7);
      wire.left().backlogOf(1).add(Frame.MESSAGE, 0, left.codecOf(note), note, 8, 1000);
      wire.link();
      wire.deliver();
      assertThat(pair.heard).containsExactly(7L);
      wire.close();
    }

    @Test
    void sealedLaneDoesNotMove() {
      pair.wire.left().proposeClose();
      assertThat(pair.send()).isFalse();
      assertThat(pair.capacity()).isEqualTo(LEAST_BYTES);
      pair.wire.deliver();
    }
  }

  private enum Act {
    SEND,
    FILL,
    RECEIVE,
    ANSWER,
    CUT,
    LINK,
    LATER,
    PROPOSE,
    RESTART
  }

  /**
   * @param count of messages
   */
  record Step(Act act, int count) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Act> act =
        Arbitraries.frequency(
            net.jqwik.api.Tuple.of(5, Act.SEND),
            net.jqwik.api.Tuple.of(3, Act.FILL),
            net.jqwik.api.Tuple.of(6, Act.RECEIVE),
            net.jqwik.api.Tuple.of(3, Act.ANSWER),
            net.jqwik.api.Tuple.of(3, Act.CUT),
            net.jqwik.api.Tuple.of(4, Act.LINK),
            net.jqwik.api.Tuple.of(4, Act.LATER),
            net.jqwik.api.Tuple.of(2, Act.PROPOSE),
            net.jqwik.api.Tuple.of(1, Act.RESTART));
    return Combinators.combine(act, Arbitraries.integers().between(1, 700))
        .as(Step::new)
        .list()
        .ofMinSize(10)
        .ofMaxSize(80);
  }

  /** Every message is heard once and in order, or reported to be lost with its peer. */
  @Property(tries = 300)
  void growthCutsRestartsAndClosingLoseNothing(@ForAll("steps") List<Step> steps) {
    try (Pair pair = new Pair()) {
      long life = 1;
      boolean linked = true;
      for (Step step : steps) {
        switch (step.act()) {
          case SEND -> {
            for (int i = 0; i < step.count() && pair.wire.left().hasSession(); i++) {
              pair.send();
            }
          }
          case FILL -> {
            if (pair.wire.left().hasSession()) {
              pair.fill();
            }
          }
          case RECEIVE -> pair.wire.deliverToRight();
          case ANSWER -> pair.wire.deliverToLeft();
          case CUT -> {
            if (linked) {
              pair.wire.cut();
              linked = false;
            }
          }
          case LINK -> {
            if (!linked) {
              pair.wire.link(1, life);
              linked = true;
            }
          }
          case LATER -> pair.tick(step.count() % 2 == 0 ? 1 : IDLE_NS / 2);
          case PROPOSE -> pair.wire.left().proposeClose();
          case RESTART -> {
            if (linked) {
              pair.right = new TestHost(2);
              pair.right.writeDown(pair.heard);
              pair.wire.restartRight(pair.right);
              life++;
              pair.wire.link(1, life);
            }
          }
        }
      }
      if (!linked || !pair.wire.left().hasSession()) {
        pair.wire.link(1, life);
      }
      pair.wire.deliver();
      assertEachIsHeardOrReportedOnce(pair);
    }
  }

  private static void assertEachIsHeardOrReportedOnce(Pair pair) {
    List<Long> all = new ArrayList<>(pair.heard);
    assertThat(pair.heard).isSorted();
    for (String news : pair.left.news) {
      if (news.startsWith("undeliverable note ")) {
        all.add(Long.parseLong(news.substring("undeliverable note ".length())));
      }
    }
    assertThat(all).doesNotHaveDuplicates().hasSize((int) pair.sent);
  }
}
