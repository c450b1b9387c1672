// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.transport.Agreement;
import io.verbena.transport.Held;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.Versions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which agreement holds and which is void: the table in docs/protocol.md, "Sessions". */
@Tag("timing")
class OverlappingHandshakesTest {

  private static final long LIFE = 100;

  private final TestTransport transport = new TestTransport();
  private final TestHost host = new TestHost(2);
  private final Connection connection = connectionTo(3);

  private Connection connectionTo(int peer) {
    host.transports = List.of(transport);
    return new Connection(host, peer);
  }

  @AfterEach
  void close() {
    host.close();
  }

  private TestLink link() {
    return new TestLink(transport);
  }

  /** Of a handshake that began when there was the link that there is now. */
  private LinkEvents take(Connection at, long held, long agreed, TestLink link)
      throws RefusedException {
    return at.established(inTime(at, held, agreed), link, "by the test");
  }

  private static Agreement inTime(Connection at, long held, long agreed) {
    Held then = new Held(held, at.heldWith(LIFE).link());
    return TestLink.agreement(LIFE, then, agreed, Versions.SPOKEN.greatest());
  }

  /** Of a handshake that began when there was no link. */
  private LinkEvents takeLate(Connection at, long held, long agreed, TestLink link)
      throws RefusedException {
    return at.established(TestLink.agreement(LIFE, held, agreed), link, "by the test");
  }

  private static void announceLane(LinkEvents from) throws IOException {
    LaneMemory memory = new TestTransport().allocate(0, 0, 4096);
    from.inbound(0, 4096, () -> memory);
  }

  private static void assertCrossed(ThrowingCallable taking) {
    assertThatThrownBy(taking)
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CROSSED));
  }

  @Test
  void beginsWhereNoneWasHeld() throws Exception {
    TestLink link = link();
    take(connection, 0, 7, link);
    assertThat(connection.heldWith(LIFE).session()).isEqualTo(7);
    assertThat(link.lanes).containsExactly(0);
  }

  @Test
  void isVoidWhereTheSessionIsOver() {
    assertCrossed(() -> take(connection, 5, 5, link()));
    assertThat(connection.hasSession()).isFalse();
  }

  @Test
  void isVoidWhereAnotherSessionBeganMeanwhile() throws Exception {
    TestLink first = link();
    take(connection, 0, 7, first);
    TestLink late = link();
    assertCrossed(() -> takeLate(connection, 0, 8, late));
    assertThat(connection.heldWith(LIFE).session()).isEqualTo(7);
    assertThat(first.closed).isFalse();
    assertThat(late.lanes).isEmpty();
  }

  @Test
  void isVoidWhereAnotherSessionBeganThoughItsLinkIsDown() throws Exception {
    take(connection, 0, 7, link()).down("cut");
    TestLink late = link();
    assertCrossed(() -> takeLate(connection, 0, 8, late));
    assertThat(connection.heldWith(LIFE).session()).isEqualTo(7);
    assertThat(late.lanes).isEmpty();
  }

  @Test
  void isVoidWhereTheSessionToResumeIsAnotherByNow() throws Exception {
    take(connection, 0, 7, link());
    take(connection, 7, 8, link());
    assertCrossed(() -> take(connection, 7, 7, link()));
    assertThat(connection.heldWith(LIFE).session()).isEqualTo(8);
  }

  @Test
  void resumesWhatBothHold() throws Exception {
    TestLink first = link();
    announceLane(take(connection, 0, 7, first));
    TestLink second = link();
    take(connection, 7, 7, second);
    assertThat(connection.heldWith(LIFE).session()).isEqualTo(7);
    assertThat(first.closed).isTrue();
    assertThat(second.lanes).containsExactly(0);
    assertThat(host.counter("connections.resumed")).isEqualTo(1);
  }

  /** Somebody has made one of the two handshakes say less than the two nodes can. */
  @Test
  void doesNotResumeInAnotherVersion() throws Exception {
    take(connection, 0, 7, link());
    Agreement downgraded = TestLink.agreement(LIFE, connection.heldWith(LIFE), 7, 1);
    assertThatThrownBy(() -> connection.established(downgraded, link(), "by the test"))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.PROTOCOL))
        .hasMessageContaining("version 1 of the protocol now");
    assertThat(connection.heldWith(LIFE).session()).isEqualTo(7);
  }

  /** Its id does not show that another handshake has ended since this one began. */
  @Test
  void aResumeIsVoidWhereALinkCameMeanwhile() throws Exception {
    take(connection, 0, 7, link()).down("cut");
    TestLink first = link();
    Agreement late = inTime(connection, 7, 7);
    take(connection, 7, 7, first);
    assertCrossed(() -> connection.established(late, link(), "by the test"));
    assertThat(connection.heldWith(LIFE).session()).isEqualTo(7);
    assertThat(first.closed).isFalse();
  }

  /** The link that broke was still there when the far side began. */
  @Test
  void aResumeIsVoidWhereALinkWasReplacedMeanwhile() throws Exception {
    LinkEvents broken = take(connection, 0, 7, link());
    Agreement late = inTime(connection, 7, 7);
    broken.down("cut");
    TestLink next = link();
    take(connection, 7, 7, next);
    assertCrossed(() -> connection.established(late, link(), "by the test"));
    assertThat(next.closed).isFalse();
  }

  @Test
  void doesNotResumeOverAnotherTransport() throws Exception {
    take(connection, 0, 7, link());
    assertCrossed(() -> take(connection, 7, 7, new TestLink(new TestTransport())));
  }

  @Test
  void goesOnUnderTheAgreedIdWhereThePeerNeverLearnedOfTheSession() throws Exception {
    TestLink first = link();
    take(connection, 0, 7, first);
    TestLink second = link();
    take(connection, 7, 8, second);
    assertThat(connection.heldWith(LIFE).session()).isEqualTo(8);
    assertThat(first.closed).isTrue();
    assertThat(second.lanes).containsExactly(0);
    assertThat(host.news).isEmpty();
  }

  @Test
  void waitsForTheEndOfALinkWhosePeerHeldTheSession() throws Exception {
    announceLane(take(connection, 0, 7, link()));
    assertCrossed(() -> take(connection, 7, 8, link()));
    assertThat(connection.heldWith(LIFE).session()).isEqualTo(7);
  }

  @Test
  void endsASessionThatThePeerHasLost() throws Exception {
    LinkEvents events = take(connection, 0, 7, link());
    announceLane(events);
    events.down("cut");
    take(connection, 7, 8, link());
    assertThat(connection.heldWith(LIFE).session()).isEqualTo(8);
    assertThat(host.news).containsExactly("lost 3");
  }

  @Test
  void endsASessionWithAnotherLifeOfThePeer() throws Exception {
    announceLane(take(connection, 0, 7, link()));
    connection.established(TestLink.agreement(LIFE + 1, 0, 8), link(), "by the test");
    assertThat(connection.heldWith(LIFE).session()).isZero();
    assertThat(connection.heldWith(LIFE + 1).session()).isEqualTo(8);
    assertThat(host.news).containsExactly("restarted 3");
  }

  /** What a dying node sent last may arrive after what the next one sent first. */
  @Test
  void aLifeThatWasReplacedDoesNotComeBackWhileTheNextOneIsThere() throws Exception {
    take(connection, 0, 7, link());
    TestLink next = link();
    announceLane(connection.established(TestLink.agreement(LIFE + 1, 0, 8), next, "by the test"));
    assertCrossed(() -> take(connection, 0, 9, link()));
    assertThat(connection.heldWith(LIFE + 1).session()).isEqualTo(8);
    assertThat(next.closed).isFalse();
  }

  @Test
  void aLifeThatAnswersIsNotReplaced() throws Exception {
    TestLink link = link();
    link.peerAnswers = true;
    connection.contest(LIFE + 1); // nobody is here
    take(connection, 0, 7, link);
    connection.contest(LIFE); // it is the one that lives
    assertThatThrownBy(() -> connection.contest(LIFE + 1))
        .hasMessageContaining("another process is node 3 and answers (a link that moves nothing)")
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.IDENTITY));
    link.peerAnswers = false;
    connection.contest(LIFE + 1);
  }

  /** Without a cluster key anybody can call himself by its id. */
  @Test
  void aNodeComesBackAfterAnImpostor() throws Exception {
    take(connection, 0, 7, link());
    connection.established(
        TestLink.agreement(LIFE + 1, 0, 8), link(), "an impostor, who never opens a lane");
    take(connection, 0, 9, link());
    LinkEvents lie =
        connection.established(
            TestLink.agreement(LIFE + 2, 0, 10), link(), "an impostor, who does");
    announceLane(lie);
    assertCrossed(() -> take(connection, 0, 11, link()));
    lie.down("he left");
    take(connection, 0, 11, link());
    assertThat(connection.heldWith(LIFE).session()).isEqualTo(11);
  }

  /** Both sides took the other's dial before they learned of their own. */
  @Test
  void theLowerIdsDialStands() throws Exception {
    TestLink theirs = link();
    TestLink own = link();
    transport.dial(
        connection,
        () -> {
          acceptMeanwhile(connection, 0, 7, theirs);
          takeLate(connection, 0, 8, own);
        });
    assertThat(connection.heldWith(LIFE).session()).isEqualTo(8);
    assertThat(theirs.closed).isTrue();
    assertThat(own.lanes).containsExactly(0);
    assertThat(host.news).isEmpty();
  }

  /** Both resume the same session; the link that both keep is the lower id's. */
  @Test
  void theHigherIdsDialGivesWay() throws Exception {
    Connection lower = connectionTo(1);
    take(lower, 0, 7, link()).down("cut");
    TestLink theirs = link();
    TestLink own = link();
    assertThatThrownBy(
            () ->
                transport.dial(
                    lower,
                    () -> {
                      acceptMeanwhile(lower, 7, 7, theirs);
                      takeLate(lower, 7, 7, own);
                    }))
        .hasCauseInstanceOf(RefusedException.class);
    assertThat(lower.heldWith(LIFE).session()).isEqualTo(7);
    assertThat(theirs.closed).isFalse();
    assertThat(own.lanes).isEmpty();
  }

  /** The peer went on with its own dial: what this side asked for is not held there. */
  @Test
  void evenTheLowerIdsDialIsVoidWhereThePeerHoldsAnotherSession() throws Exception {
    assertThatThrownBy(
            () ->
                transport.dial(
                    connection,
                    () -> {
                      announceLane(acceptMeanwhile(connection, 0, 7, link()));
                      takeLate(connection, 0, 8, link());
                    }))
        .hasCauseInstanceOf(RefusedException.class);
    assertThat(connection.heldWith(LIFE).session()).isEqualTo(7);
  }

  /** Two sessions would begin, each known to one side alone; one of them would be lost. */
  @Test
  void whileTheLowerIdsDialIsAnsweredNoSessionBeginsOverAnotherTransport() throws Exception {
    TestLink own = link();
    transport.dial(
        connection,
        () -> {
          connection.dialAnswered();
          assertCrossed(() -> acceptMeanwhile(connection, 0, 7, linkOverAnother()));
          takeLate(connection, 0, 8, own);
        });
    assertThat(connection.heldWith(LIFE).session()).isEqualTo(8);
    assertThat(own.lanes).containsExactly(0);
    assertThat(host.news).isEmpty();
  }

  /** It has claimed nothing yet. */
  @Test
  void aDialThatIsNotAnsweredKeepsNoOtherTransportAway() throws Exception {
    TestLink theirs = linkOverAnother();
    transport.dial(connection, () -> acceptMeanwhile(connection, 0, 7, theirs));
    assertThat(connection.heldWith(LIFE).session()).isEqualTo(7);
    assertThat(theirs.closed).isFalse();
  }

  @Test
  void whatThePeerNeverLearnedOfStaysWithItsTransport() throws Exception {
    take(connection, 0, 7, link()).down("cut");
    assertCrossed(() -> take(connection, 7, 8, linkOverAnother()));
    take(connection, 7, 8, link());
    assertThat(connection.heldWith(LIFE).session()).isEqualTo(8);
    assertThat(host.news).isEmpty();
  }

  @Test
  @Timeout(180)
  void aSessionIsDialledForOverItsTransportFirst() throws Exception {
    List<TestTransport> tried = new CopyOnWriteArrayList<>();
    TestTransport preferred = new Recorded(tried);
    TestTransport carrier = new Recorded(tried);
    Connection at = connectionTo(3);
    host.transports = List.of(preferred, carrier);
    take(at, 0, 7, new TestLink(carrier)).down("cut");
    while (tried.size() < 2) {
      Thread.onSpinWait();
    }
    assertThat(List.copyOf(tried).subList(0, 2)).containsExactly(carrier, preferred);
  }

  private static final class Recorded extends TestTransport {
    private final List<TestTransport> tried;

    Recorded(List<TestTransport> tried) {
      this.tried = tried;
    }

    @Override
    public void connect(int peer, String address, Duration timeout) throws IOException {
      tried.add(this);
      throw new IOException("nobody listens");
    }
  }

  private static TestLink linkOverAnother() {
    return new TestLink(new TestTransport());
  }

  /** A dial is not late with itself: what it brought the far side holds. */
  @Test
  void whatADialBroughtIsHeldByThePeer() throws Exception {
    transport.dial(connection, () -> take(connection, 0, 7, link()));
    assertCrossed(() -> take(connection, 7, 8, link()));
  }

  private LinkEvents acceptMeanwhile(Connection at, long held, long agreed, TestLink link)
      throws IOException {
    FutureTask<LinkEvents> accepting = new FutureTask<>(() -> take(at, held, agreed, link));
    Thread.ofPlatform().start(accepting);
    try {
      return accepting.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RefusedException refused) {
        throw refused;
      }
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
