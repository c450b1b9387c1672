// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.transport.ClusterKey;
import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.Versions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the far side must not get away with. */
class HandshakeProtocolTest {

  private static final String SECRET = "0123456789abcdef";

  private static Meeting meeting(boolean withKey) {
    Party one = new Party(1);
    Party two = new Party(2);
    if (withKey) {
      one.key(SECRET);
      two.key(SECRET);
    }
    Meeting meeting = new Meeting(one, two);
    meeting.offer = (peer, incarnation) -> new byte[] {1, 2, 3};
    meeting.answer = agreement -> new byte[] {4, 5, 6};
    return meeting;
  }

  /** Changes the n-th message an end writes; the first is 0. */
  private static UnaryOperator<byte[]> nth(int n, UnaryOperator<byte[]> change) {
    int[] seen = {0};
    return bytes -> seen[0]++ == n ? change.apply(bytes.clone()) : bytes;
  }

  private static UnaryOperator<byte[]> set(int offset, int value) {
    return bytes -> {
      bytes[offset] = (byte) value;
      return bytes;
    };
  }

  private static void assertFailed(Meeting.Outcome outcome) {
    assertThat(outcome.agreement()).isNull();
    assertThat(outcome.failure()).isInstanceOf(IOException.class);
  }

  private static void assertRefused(Meeting.Outcome outcome, Reason reason, String words) {
    assertThat(outcome.failure()).isInstanceOf(RefusedException.class).hasMessageContaining(words);
    assertThat(((RefusedException) outcome.failure()).reason()).isEqualTo(reason);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void failsWhereverTheStreamFromTheDiallerBreaks(boolean withKey) {
    int all = meeting(withKey).run().wire.dialling.sent().length;
    for (int cut = 0; cut < all; cut++) {
      Meeting meeting = meeting(withKey);
      meeting.wire.dialling.breaksAfter(cut);
      meeting.run();
      assertFailed(meeting.dial);
      assertFailed(meeting.accept);
      assertThat(meeting.acceptor.rejected).as("cut at " + cut).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void failsWhereverTheStreamFromTheAcceptorBreaks(boolean withKey) {
    int all = meeting(withKey).run().wire.accepting.sent().length;
    for (int cut = 0; cut < all; cut++) {
      Meeting meeting = meeting(withKey);
      meeting.wire.accepting.breaksAfter(cut);
      meeting.run();
      assertFailed(meeting.dial);
    }
  }

  @Test
  void everyChangedByteIsNoticedWithAKey() {
    Meeting whole = meeting(true).run();
    for (int at = 0; at < whole.wire.dialling.sent().length; at++) {
      assertChangeIsNoticed(at, true);
    }
    for (int at = 0; at < whole.wire.accepting.sent().length; at++) {
      assertChangeIsNoticed(at, false);
    }
  }

  private static void assertChangeIsNoticed(int at, boolean fromDialler) {
    Meeting meeting = meeting(true);
    int[] passed = {0};
    UnaryOperator<byte[]> flip =
        bytes -> {
          byte[] changed = bytes.clone();
          int here = at - passed[0];
          passed[0] += bytes.length;
          if (here >= 0 && here < changed.length) {
            changed[here] ^= 0x10;
          }
          return changed;
        };
    (fromDialler ? meeting.wire.dialling : meeting.wire.accepting).changed(flip);
    meeting.run();
    assertThat(meeting.dial.agreement()).as("byte " + at + " changed").isNull();
  }

  @Test
  void refusesAnotherProgramsBytes() {
    Meeting meeting = meeting(false);
    meeting.wire.dialling.changed(
        bytes -> "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    meeting.run();
    assertRefused(meeting.accept, Reason.PROTOCOL, "does not speak Verbena");
  }

  @Test
  void refusesAnotherVersionAndNamesBoth() {
    Meeting meeting = meeting(false);
    meeting.wire.dialling.changed(nth(0, set(4, 9)));
    meeting.run();
    assertRefused(
        meeting.accept, Reason.PROTOCOL, "version 9 of the protocol, this node versions 1 to 2");
    assertRefused(meeting.dial, Reason.PROTOCOL, "version 9");
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"HELLO", "REFUSE"},
      mode = EnumSource.Mode.EXCLUDE)
  void refusesMessagesInAWrongOrder(Kind first) {
    Meeting meeting = meeting(false);
    meeting.wire.dialling.changed(nth(0, set(5, first.code)));
    meeting.run();
    assertRefused(meeting.accept, Reason.PROTOCOL, "where HELLO (1) was due");
  }

  @Test
  void refusesAnotherTransport() {
    Meeting meeting = meeting(false);
    // The transport's name follows the fixed fields of the HELLO and its own length.
    meeting.wire.dialling.changed(nth(0, set(Conversation.HEADER_BYTES + 57, 'b')));
    meeting.run();
    assertRefused(meeting.accept, Reason.PROTOCOL, "another transport");
  }

  @ParameterizedTest
  @ValueSource(ints = {1025, 65_536, Integer.MAX_VALUE, -1})
  void refusesLengthsBeyondTheLimitBeforeReadingOn(int length) {
    Meeting meeting = meeting(false);
    meeting.wire.dialling.changed(
        nth(
            0,
            bytes -> {
              ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(8, length);
              return bytes;
            }));
    meeting.run();
    assertRefused(meeting.accept, Reason.PROTOCOL, "are possible");
  }

  @Test
  void refusesAProposalOfSessionZero() {
    Meeting meeting = meeting(false);
    meeting.wire.dialling.changed(
        nth(
            1,
            bytes -> {
              Arrays.fill(
                  bytes, Conversation.HEADER_BYTES + 8, Conversation.HEADER_BYTES + 16, (byte) 0);
              return bytes;
            }));
    meeting.run();
    assertRefused(meeting.accept, Reason.PROTOCOL, "the proposed session is 0");
  }

  @Test
  void refusesAVerdictThatDoesNotFollowFromTheRule() {
    Meeting meeting = meeting(false);
    meeting.wire.accepting.changed(nth(1, set(Conversation.HEADER_BYTES + 16, 1)));
    meeting.run();
    assertRefused(meeting.dial, Reason.PROTOCOL, "not what follows");
  }

  @Test
  void refusesItsOwnNonceSentBack() {
    Meeting meeting = meeting(false);
    byte[][] nonce = new byte[1][];
    int at = Conversation.HEADER_BYTES + 16;
    meeting.wire.dialling.changed(
        nth(
            0,
            bytes -> {
              nonce[0] = Arrays.copyOfRange(bytes, at, at + Hello.NONCE_BYTES);
              return bytes;
            }));
    meeting.wire.accepting.changed(
        nth(
            0,
            bytes -> {
              System.arraycopy(nonce[0], 0, bytes, at, Hello.NONCE_BYTES);
              return bytes;
            }));
    meeting.run();
    assertRefused(meeting.dial, Reason.KEY, "own nonce");
  }

  @Test
  void aRecordedDiallerCannotBeReplayed() {
    byte[] recorded = meeting(true).run().wire.dialling.sent();
    Meeting replay = meeting(true);
    int[] from = {0};
    replay.wire.dialling.changed(
        bytes -> {
          byte[] old = Arrays.copyOfRange(recorded, from[0], from[0] + bytes.length);
          from[0] += bytes.length;
          return old;
        });
    replay.run();
    assertThat(replay.accept.agreement()).isNull();
  }

  /** The side that dials must see a proof made for the accepting role. */
  @Test
  void aProofOfOneRoleIsNoneOfTheOther() throws IOException {
    ClusterKey key = new ClusterKey(SECRET.getBytes(StandardCharsets.US_ASCII));
    Wire wire = new Wire();
    new Conversation(Role.DIALLING, wire.dialling, key, Versions.SPOKEN, "a")
        .send(Kind.CHALLENGE, new byte[5]);
    Conversation mirror =
        new Conversation(Role.DIALLING, wire.accepting, key, Versions.SPOKEN, "b");
    mirror.receive(Kind.CHALLENGE);
    RefusedException refused =
        org.junit.jupiter.api.Assertions.assertThrows(RefusedException.class, mirror::checkProof);
    assertThat(refused.reason()).isEqualTo(Reason.KEY);
  }

  @Test
  void onceProvedOnlyAProvedRefusalIsBelieved() {
    Meeting meeting = meeting(true);
    meeting.wire.accepting.changed(
        nth(
            1,
            bytes -> {
              byte[] forged = new Refusal(Reason.TYPES, "go away").encode();
              ByteBuffer message =
                  ByteBuffer.allocate(12 + forged.length + 32).order(ByteOrder.LITTLE_ENDIAN);
              message.putInt(Conversation.MAGIC).put((byte) 1).put((byte) Kind.REFUSE.code);
              message.putShort((short) 0).putInt(forged.length + 32).put(forged);
              return message.array();
            }));
    meeting.run();
    assertThat(meeting.dial.failure())
        .isNotInstanceOf(RefusedException.class)
        .hasMessageContaining("no valid proof");
  }

  @Test
  void aRefusalsTextCannotForgeLogLines() throws Exception {
    byte[] body = new Refusal(Reason.CLOSING, "bye\n2030-01-01 all is well\u001b[2J").encode();
    Refusal read = Refusal.decode(new BodyReader("REFUSE", body));
    assertThat(read.text()).isEqualTo("bye?2030-01-01 all is well?[2J");
  }
}
