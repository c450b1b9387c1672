// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.transport.Held;
import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.Versions;
import io.verbena.transport.handshake.Handshake.Answer;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("timing")
class HandshakeTest {

  private static final String SECRET = "0123456789abcdef";
  private static final String OTHER_SECRET = "fedcba9876543210";

  private final Party one = new Party(1);
  private final Party two = new Party(2);

  private Meeting meet() {
    return new Meeting(one, two).run();
  }

  private static void assertRefused(Meeting meeting, Reason reason, String... words) {
    assertRefused(meeting.dial, reason);
    assertRefused(meeting.accept, reason);
    assertThat(meeting.acceptor.rejected).hasSize(1);
    assertThat(meeting.acceptor.rejected.getFirst().reason()).isEqualTo(reason);
    assertThat(meeting.dial.failure()).hasMessageContainingAll(words);
  }

  private static void assertRefused(Meeting.Outcome outcome, Reason reason) {
    assertThat(outcome.failure()).isInstanceOf(RefusedException.class);
    assertThat(((RefusedException) outcome.failure()).reason()).isEqualTo(reason);
  }

  private static void assertAgreed(Meeting meeting) {
    assertThat(meeting.dial.failure()).isNull();
    assertThat(meeting.accept.failure()).isNull();
    assertThat(meeting.dial.agreement().session())
        .isNotZero()
        .isEqualTo(meeting.accept.agreement().session());
    assertThat(meeting.dial.agreement().resumed()).isEqualTo(meeting.accept.agreement().resumed());
    assertThat(meeting.acceptor.rejected).isEmpty();
  }

  @Test
  void agreesWithoutKey() {
    Meeting meeting = meet();
    assertAgreed(meeting);
    assertThat(meeting.dial.agreement().peer()).isEqualTo(2);
    assertThat(meeting.dial.agreement().peerIncarnation()).isEqualTo(1002);
    assertThat(meeting.accept.agreement().peer()).isEqualTo(1);
    assertThat(meeting.accept.agreement().peerIncarnation()).isEqualTo(1001);
    assertThat(meeting.dial.agreement().resumed()).isFalse();
  }

  @Test
  void agreesWithTheSameKey() {
    one.key(SECRET);
    two.key(SECRET);
    assertAgreed(meet());
  }

  @Test
  void refusesAnotherKey() {
    one.key(SECRET);
    two.key(OTHER_SECRET);
    assertRefused(meet(), Reason.KEY, "node 2 at there", "could not prove");
  }

  @Test
  void refusesAKeyOnOneSideOnly() {
    one.key(SECRET);
    assertRefused(meet(), Reason.KEY, "has a cluster key and node 2 has none");
  }

  @Test
  void refusesNoKeyWhereOneIsNeeded() {
    two.key(SECRET);
    assertRefused(meet(), Reason.KEY, "has no cluster key and node 2 has one");
  }

  @Test
  void resumesTheSessionBothHold() {
    one.held.put(2, new Held(77, 0));
    two.held.put(1, new Held(77, 0));
    Meeting meeting = meet();
    assertAgreed(meeting);
    assertThat(meeting.dial.agreement().session()).isEqualTo(77);
    assertThat(meeting.dial.agreement().resumed()).isTrue();
  }

  /** Another handshake may end in between: each side then sees that it spoke for a past state. */
  @Test
  void tellsTheSessionsHeldBeforeTheOtherSideCouldKnow() {
    one.held.put(2, new Held(77, 0));
    two.held.put(1, new Held(78, 0));
    Meeting meeting = new Meeting(one, two);
    meeting.offer =
        (peer, incarnation) -> {
          two.held.put(1, new Held(79, 0));
          return new byte[0];
        };
    meeting.answer =
        agreement -> {
          one.held.put(2, new Held(80, 0));
          return new byte[0];
        };
    assertAgreed(meeting.run());
    assertThat(meeting.dial.agreement().held().session()).isEqualTo(77);
    assertThat(meeting.accept.agreement().held().session()).isEqualTo(78);
  }

  @Test
  void beginsANewSessionIfOnlyOneSideHoldsOne() {
    one.held.put(2, new Held(77, 0));
    Meeting meeting = meet();
    assertAgreed(meeting);
    assertThat(meeting.dial.agreement().session()).isNotEqualTo(77);
    assertThat(meeting.dial.agreement().resumed()).isFalse();
  }

  @Test
  void beginsANewSessionIfTheSidesHoldDifferentOnes() {
    one.held.put(2, new Held(77, 0));
    two.held.put(1, new Held(78, 0));
    Meeting meeting = meet();
    assertAgreed(meeting);
    assertThat(meeting.dial.agreement().session()).isNotIn(77L, 78L);
  }

  @Test
  void passesAttachmentsTheDiallersFirst() {
    Meeting meeting = new Meeting(one, two);
    meeting.offer = (peer, incarnation) -> new byte[] {(byte) peer, (byte) incarnation};
    meeting.answer = agreement -> new byte[] {agreement.attachment()[0], 9};
    meeting.run();
    assertAgreed(meeting);
    assertThat(meeting.accept.agreement().attachment()).containsExactly(2, (byte) 1002);
    assertThat(meeting.dial.agreement().attachment()).containsExactly(2, 9);
  }

  @Test
  void tellsTheDiallerWhenTheAnswerFails() {
    Meeting meeting = new Meeting(one, two);
    meeting.answer =
        agreement -> {
          throw new RefusedException(Reason.IDENTITY, "not on this host");
        };
    assertRefused(meeting.run(), Reason.IDENTITY, "not on this host");
  }

  @Test
  void tellsTheAcceptorWhenTheOfferFails() {
    Meeting meeting = new Meeting(one, two);
    meeting.offer =
        (peer, incarnation) -> {
          throw new IOException("disk full");
        };
    meeting.run();
    assertThat(meeting.dial.failure()).hasMessage("disk full");
    assertThat(meeting.accept.failure()).hasMessageContaining("disk full");
    assertThat(two.rejected.getFirst().reason()).isEqualTo(Reason.CLOSING);
  }

  @Test
  void bothSidesSayHowTheirTypesDiffer() {
    one.types("types A").key(SECRET);
    two.types("types B").key(SECRET);
    Meeting meeting = meet();
    assertRefused(meeting, Reason.TYPES, "'types A' here, 'types B' there");
    assertThat(meeting.accept.failure()).hasMessageContaining("'types B' here, 'types A' there");
  }

  @Test
  void twoVersionsOfAProgramAgreeAndKnowEachOthersTypes() {
    one.types("*A").key(SECRET);
    two.types("*B").key(SECRET);
    Meeting meeting = meet();
    assertAgreed(meeting);
    assertThat(meeting.dial.agreement().peerTypes()).isEqualTo("*B");
    assertThat(meeting.accept.agreement().peerTypes()).isEqualTo("*A");
  }

  @Test
  void sameTypesNeedNoDescription() {
    Meeting meeting = meet();
    assertAgreed(meeting);
    assertThat(meeting.dial.agreement().peerTypes()).isNull();
    assertThat(meeting.accept.agreement().peerTypes()).isNull();
  }

  /** Version 1 knows equal tables alone. */
  @Test
  void twoVersionsOfAProgramDoNotAgreeInVersion1() {
    one.types("*A");
    two.types("*B");
    two.versions = Versions.FIRST;
    assertRefused(meet(), Reason.TYPES, "'*A' here, '*B' there");
  }

  @Test
  void descriptionsThatAreTooLongAreNotSent() {
    one.types("*" + "A".repeat(4 << 20));
    two.types("*B");
    assertRefused(meet(), Reason.TYPES, "bytes to describe");
  }

  @Test
  void comparesLargeTypeTables() {
    one.types("A".repeat(1_000_000));
    two.types("B".repeat(3_000_000));
    assertRefused(meet(), Reason.TYPES, "BBB");
  }

  @Test
  void survivesADescriptionItCannotRead() {
    Party picky =
        new Party(2) {
          @Override
          public String typeDifference(String peerDescription) {
            throw new IllegalArgumentException("nonsense");
          }
        };
    picky.types("other");
    Meeting meeting = new Meeting(one, picky).run();
    assertRefused(meeting.accept, Reason.TYPES);
  }

  @Test
  void refusesAnotherClusterNamingTheDiallersAlone() {
    one.cluster = "staging";
    two.cluster = "production";
    assertRefused(meet(), Reason.IDENTITY, "another cluster, 'staging'; give all nodes");
    assertThat(two.rejected.getFirst().text()).contains("'staging'").doesNotContain("production");
  }

  @Test
  void repeatsNothingThatIsNoClustersName() {
    one.cluster = "x\nWARNING: all is lost";
    assertRefused(meet(), Reason.IDENTITY, "another cluster, without a name; give all nodes");
    assertThat(two.rejected.getFirst().text()).doesNotContain("lost");
  }

  @Test
  void refusesWhenAnotherNodeIsReached() {
    Meeting meeting = new Meeting(one, two);
    meeting.dialled = 3;
    assertRefused(meeting.run(), Reason.IDENTITY, "wants node 3 but reached node 2");
  }

  @Test
  void refusesANodeWithTheSameId() {
    two.id = 1;
    Meeting meeting = new Meeting(one, two);
    meeting.dialled = 1;
    assertRefused(meeting.run(), Reason.IDENTITY, "calls itself node 1 too");
  }

  @Test
  void theLowerIdsDialGoesFirstWhenBothDial() {
    two.dialling.add(1);
    assertAgreed(meet()); // 1 dials 2: goes first

    one.dialling.add(2);
    Meeting crossing = new Meeting(two, one).run();
    assertRefused(crossing, Reason.CROSSED, "goes first");
  }

  /** It would take the session from a link that both sides have. */
  @Test
  void aDialEndsWhoseSessionGotALinkMeanwhile() {
    resumable();
    Meeting late = new Meeting(two, one);
    late.offer =
        (peer, incarnation) -> {
          two.held.put(1, new Held(77, 5));
          return new byte[0];
        };
    assertRefused(late.run(), Reason.CROSSED, "a link to node 1", "is up by now");
  }

  /** The other side dials because it has seen the end of a link that this one still has. */
  @Test
  void tellsTheLinkThatWasThereWhenTheHandshakeBegan() {
    resumable();
    one.held.put(2, new Held(77, 5));
    Meeting meeting = new Meeting(two, one);
    meeting.offer =
        (peer, incarnation) -> {
          one.held.put(2, new Held(77, 6));
          return new byte[0];
        };
    assertAgreed(meeting.run());
    assertThat(meeting.accept.agreement().resumed()).isTrue();
    assertThat(meeting.accept.agreement().held()).isEqualTo(new Held(77, 5));
  }

  private void resumable() {
    one.held.put(2, new Held(77, 0));
    two.held.put(1, new Held(77, 0));
  }

  @Test
  void tellsTheDiallingNodeThatItIsAnswered() {
    assertAgreed(meet());
    assertThat(one.answered).containsExactly(2);
    assertThat(two.answered).isEmpty();
  }

  @Test
  void nobodyAnswersWhoCannotProveHimself() {
    one.key(SECRET);
    two.key(OTHER_SECRET);
    meet();
    assertThat(one.answered).isEmpty();
  }

  @Test
  void closesTheChannelWhenTheTimeIsOver() {
    Wire wire = new Wire();
    Handshake handshake = new Handshake(two, "test", Duration.ofMillis(60));
    IOException failure =
        org.junit.jupiter.api.Assertions.assertThrows(
            IOException.class, () -> handshake.accept(wire.accepting, "here", Answer.NOTHING));
    assertThat(failure).hasMessageContaining("here did not finish the handshake within 60 ms");
    assertThat(wire.accepting.isOpen()).isFalse();
    assertThat(two.rejected).hasSize(1);
  }

  @Test
  void leavesTheChannelOpenAfterAnAgreement() throws Exception {
    Meeting meeting = new Meeting(one, two);
    meeting.timeout = Duration.ofSeconds(3);
    assertAgreed(meeting.run());
    Thread.sleep(3500); // the one thing to wait for here is the time itself
    assertThat(meeting.wire.dialling.isOpen()).isTrue();
  }
}
