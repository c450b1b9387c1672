// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.Versions;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which version two nodes speak, and that no third party chooses it for them. */
class HandshakeVersionsTest {

  private static final String SECRET = "0123456789abcdef";
  private static final int VERSION_OFFSET = 4;
  private static final int RANGE_OFFSET =
      Conversation.HEADER_BYTES + 16 + Hello.NONCE_BYTES - Hello.RANGE_BYTES;

  private final Party one = new Party(1);
  private final Party two = new Party(2);

  private Meeting meet(Versions dialler, Versions acceptor) {
    one.versions = dialler;
    two.versions = acceptor;
    return new Meeting(one, two).run();
  }

  private static void assertRefused(Meeting.Outcome outcome, Reason reason, String... words) {
    assertThat(outcome.failure())
        .isInstanceOf(RefusedException.class)
        .hasMessageContainingAll(words);
    assertThat(((RefusedException) outcome.failure()).reason()).isEqualTo(reason);
  }

  /** The version byte of each message an end sent. */
  private static byte[] versionsSent(Wire.End end) {
    byte[] sent = end.sent();
    byte[] versions = new byte[8];
    int count = 0;
    for (int at = 0; at < sent.length; count++) {
      versions[count] = sent[at + VERSION_OFFSET];
      int bodyBytes = (sent[at + 8] & 0xFF) | (sent[at + 9] & 0xFF) << 8;
      at += Conversation.HEADER_BYTES + bodyBytes;
    }
    return Arrays.copyOf(versions, count);
  }

  @ParameterizedTest
  @CsvSource({"1,1, 1,2, 1", "1,2, 1,1, 1", "1,2, 1,2, 2", "2,2, 1,2, 2", "1,2, 2,9, 2"})
  void speakTheGreatestCommonVersion(
      int least, int greatest, int otherLeast, int otherGreatest, int spoken) {
    one.key(SECRET);
    two.key(SECRET);
    Meeting meeting = meet(new Versions(least, greatest), new Versions(otherLeast, otherGreatest));
    assertThat(meeting.dial.failure()).isNull();
    assertThat(meeting.accept.failure()).isNull();
    assertThat(meeting.dial.agreement().version()).isEqualTo(spoken);
    assertThat(meeting.accept.agreement().version()).isEqualTo(spoken);
  }

  /** Every version understands HELLO; what follows is in the version agreed on. */
  @Test
  void helloHasTheFirstVersionsLayoutAndAllElseTheAgreedOnes() {
    Meeting meeting = meet(new Versions(1, 2), new Versions(1, 2));
    assertThat(versionsSent(meeting.wire.dialling)).containsExactly(1, 2);
    assertThat(versionsSent(meeting.wire.accepting)).containsExactly(2, 2);
    meeting = meet(new Versions(1, 2), Versions.FIRST);
    assertThat(versionsSent(meeting.wire.dialling)).containsExactly(1, 1);
    assertThat(versionsSent(meeting.wire.accepting)).containsExactly(1, 1);
  }

  @Test
  void disjointRangesAreRefusedOnBothSidesNamingBoth() {
    Meeting meeting = meet(new Versions(2, 3), Versions.FIRST);
    assertRefused(meeting.dial, Reason.PROTOCOL, "node 2 at there", "version 1", "versions 2 to 3");
    assertRefused(meeting.accept, Reason.PROTOCOL, "version 1", "versions 2 to 3");

    meeting = meet(new Versions(1, 2), new Versions(4, 5));
    assertRefused(meeting.accept, Reason.PROTOCOL, "versions 1 to 2", "versions 4 to 5");
    assertRefused(meeting.dial, Reason.PROTOCOL, "versions 1 to 2", "versions 4 to 5");

    meeting = meet(Versions.FIRST, new Versions(2, 3));
    assertRefused(meeting.accept, Reason.PROTOCOL, "version 1", "versions 2 to 3");
    assertRefused(meeting.dial, Reason.PROTOCOL, "version 1", "versions 2 to 3");
  }

  private static UnaryOperator<byte[]> withoutRange() {
    int[] seen = {0};
    return bytes -> {
      byte[] changed = bytes.clone();
      if (seen[0]++ == 0) {
        Arrays.fill(changed, RANGE_OFFSET, RANGE_OFFSET + Hello.RANGE_BYTES, (byte) 7);
      }
      return changed;
    };
  }

  @Test
  void aRangeTakenOutOfHelloIsNoticedWithAKey() {
    one.key(SECRET);
    two.key(SECRET);
    Meeting meeting = new Meeting(one, two);
    meeting.wire.dialling.changed(withoutRange());
    meeting.run();
    assertThat(versionsSent(meeting.wire.accepting)[0]).isEqualTo((byte) 1); // it was believed
    assertThat(meeting.dial.agreement()).isNull();
    assertThat(meeting.accept.agreement()).isNull();
  }

  @Test
  void aRangeTakenOutOfBothIsNoticedWithAKey() {
    one.key(SECRET);
    two.key(SECRET);
    Meeting meeting = new Meeting(one, two);
    meeting.wire.dialling.changed(withoutRange());
    meeting.wire.accepting.changed(withoutRange());
    meeting.run();
    assertRefused(meeting.dial, Reason.KEY, "could not prove");
    assertThat(meeting.accept.agreement()).isNull();
  }

  /** Without a key a third party can be anybody; half a downgrade is noticed all the same. */
  @Test
  void anAnswerInAnotherVersionThanTheGreatestCommonOneIsRefused() {
    Meeting meeting = new Meeting(one, two);
    meeting.wire.dialling.changed(withoutRange());
    meeting.run();
    assertRefused(
        meeting.dial, Reason.PROTOCOL, "answered in version 1", "both sides speak version 2");
  }

  @Test
  void anotherVersionInTheMiddleIsRefused() {
    Meeting meeting = new Meeting(one, two);
    int[] seen = {0};
    meeting.wire.dialling.changed(
        bytes -> {
          byte[] changed = bytes.clone();
          if (seen[0]++ == 1) {
            changed[VERSION_OFFSET] = 1;
          }
          return changed;
        });
    meeting.run();
    assertRefused(meeting.accept, Reason.PROTOCOL, "version 1", "version 2");
  }

  @Test
  void termsOfServicesOfLaterReleasesArePassedOver() throws RefusedException {
    byte[] listed = {2, 1, 0, 1, 0, 3, 9, 9, 9, 2, 0, 1, 0, 0};
    BodyReader in = new BodyReader("PROOF", listed);
    Attachments.passOverTerms(in);
    in.end();
  }

  @ParameterizedTest
  @CsvSource({"17, 0", "1, 81"})
  void termsBeyondTheLimitsAreRefused(int count, int bytes) {
    byte[] listed = new byte[count * (5 + bytes) + 1];
    listed[0] = (byte) count;
    for (int i = 0; i < count; i++) {
      listed[1 + i * (5 + bytes) + 4] = (byte) bytes;
    }
    BodyReader in = new BodyReader("PROOF", listed);
    assertThat(
            org.junit.jupiter.api.Assertions.assertThrows(
                RefusedException.class, () -> Attachments.passOverTerms(in)))
        .hasMessageContaining("limit");
  }
}
