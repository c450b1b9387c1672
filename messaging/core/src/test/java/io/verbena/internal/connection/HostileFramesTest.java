// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.UnregisteredTypeException;
import io.verbena.internal.connection.TestHost.Note;
import io.verbena.internal.lane.Frame;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames against the protocol end their own session, with a reason; everything else goes on. */
class HostileFramesTest {

  private static final int UNKNOWN_TYPE = 999;

  private final TestHost liar = new TestHost(1);
  private final TestHost node = new TestHost(2);
  private final TestHost honest = new TestHost(3);
  private final HandWire wire = new HandWire(liar, node);
  private final HandWire otherWire = new HandWire(honest, node);
  private final List<Long> heard = new ArrayList<>();

  @BeforeEach
  void listen() {
    node.handle(Note.class, (note, from) -> heard.add(note.number()));
    wire.link();
    otherWire.link();
    send(wire, liar, 1); // the session is one that both sides have used
    send(otherWire, honest, 2);
    assertThat(heard).containsExactly(1L, 2L);
  }

  @AfterEach
  void close() {
    wire.close();
    otherWire.close();
  }

  private static void send(HandWire on, TestHost from, long number) {
    Note note = new Note(number);
    on.left().send(from.codecOf(note), note);
    on.deliver();
  }

  private void lie(int bodyBytes, int typeId, int kind, int flags) {
    Session session = wire.left().session();
    long header = Frame.header(Frame.HEADER_BYTES + bodyBytes, typeId, kind, flags);
    session.shared().tryAppend(header, MemorySegment.ofArray(new byte[bodyBytes]), 0);
    wire.deliver();
  }

  private void assertOnlyTheLiarsSessionIsOver(String counter) {
    assertThat(node.counter("sessions.broken." + counter)).isEqualTo(1);
    assertThat(node.counter("connections.lost")).isEqualTo(1);
    assertThat(node.news).containsExactly("lost 1");
    assertThat(wire.right().hasSession()).isFalse();
    send(otherWire, honest, 3);
    assertThat(heard).containsExactly(1L, 2L, 3L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        // bytes; type; kind; flags; counted as
        "8; 1; 0; 0; a-frame-of-unknown-kind",
        "8; 1; 9; 0; a-frame-of-unknown-kind",
        "8; 1; 255; 0; a-frame-of-unknown-kind",
        "16; 3; 4; 0; a-reply-of-type", // a view has no record
        "7; 1; 3; 0; a-frame-of-kind",
        "0; 1; 4; 0; a-frame-of-kind",
        "7; 1; 5; 0; a-frame-of-kind",
        "7; 1; 2; 0; malformed", // a note has 8 bytes
        "9; 1; 2; 0; malformed",
        "8; 1; 6; 0; a-fragment-without-a-first-one",
        "8; 1; 6; 1; a-first-fragment-of",
        "16; 1; 6; 1; fragments-of-a-frame-of-kind",
        "0; 0; 7; 0; unknown-control-message",
        "0; 5; 7; 0; unknown-control-message",
        "0; 0; 8; 0; a-lane-that-goes-on-in-lane",
        "0; 1; 8; 0; a-lane-that-goes-on-in-lane",
        "0; 3; 7; 0; agreed-to-a-close-that-nobody-proposed",
      })
  void endTheSessionCountedByReason(int bytes, int typeId, int kind, int flags, String countedAs) {
    lie(bytes, typeId, kind, flags);
    assertOnlyTheLiarsSessionIsOver(countedAs);
  }

  /** Each goes on in a lane that is never announced; the memory for its large messages stays. */
  @Test
  void lanesThatNeverEndAreCountedThoughTheirMemoryIsFinished() {
    int max = node.config().lanesMax() + wire.right().session().sharedCount();
    for (int i = 0; i < max && wire.right().hasSession(); i++) {
      ExclusiveLane lane = wire.left().openSender();
      long moved =
          Frame.header(Frame.HEADER_BYTES, OutboundLanes.FIRST_SUCCESSOR + i, Frame.MOVED, 0);
      lane.tryAppend(moved, MemorySegment.NULL, 0);
      wire.deliver();
      if (wire.right().hasSession()) {
        lane.close();
        wire.deliver();
      }
    }
    assertOnlyTheLiarsSessionIsOver("too-many-lanes");
  }

  /** The peer may run another version of the program: it concerns the message alone. */
  @Test
  void messagesOfUnknownTypesAreCountedAndTheSessionGoesOn() {
    lie(8, UNKNOWN_TYPE, Frame.MESSAGE, 0);
    lie(16, UNKNOWN_TYPE, Frame.REQUEST, 0);
    lie(16, UNKNOWN_TYPE, Frame.REPLY, 0);
    assertThat(node.counter("handlers.failed")).isEqualTo(2);
    assertThat(node.counter("replies.late")).isEqualTo(1);
    assertThat(node.counter("connections.lost")).isZero();
    send(wire, liar, 4);
    assertThat(heard).containsExactly(1L, 2L, 4L);
  }

  @Test
  void replyOfAnUnknownTypeFailsItsRequestAlone() {
    PendingRequest<Note> request =
        new PendingRequest<>(node.requests(), wire.right(), Note.class, Long.MAX_VALUE);
    node.requests().add(request);
    byte[] rest = new byte[Frame.CORRELATION_BYTES];
    Frame.putLongUnaligned(MemorySegment.ofArray(rest), 0, request.id());
    long header = Frame.header(Frame.HEADER_BYTES + rest.length, UNKNOWN_TYPE, Frame.REPLY, 0);
    wire.left().session().shared().tryAppend(header, MemorySegment.ofArray(rest), 0);
    wire.deliver();
    assertThat(request)
        .completesExceptionallyWithin(Duration.ZERO)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(UnregisteredTypeException.class);
    assertThat(node.counter("requests.failed")).isEqualTo(1);
    assertThat(wire.right().hasSession()).isTrue();
  }

  @Test
  void nextSessionOfTheLiarIsAsGoodAsAnother() {
    lie(8, 1, 9, 0);
    wire.link();
    send(wire, liar, 4);
    assertThat(heard).containsExactly(1L, 2L, 4L);
  }

  @Test
  void malformedReplyFailsItsRequestAndTheSession() {
    PendingRequest<Note> request =
        new PendingRequest<>(node.requests(), wire.right(), Note.class, Long.MAX_VALUE);
    node.requests().add(request);
    byte[] rest = new byte[Frame.CORRELATION_BYTES + 3];
    Frame.putLongUnaligned(MemorySegment.ofArray(rest), 0, request.id());
    long header = Frame.header(Frame.HEADER_BYTES + rest.length, TestHost.NOTE, Frame.REPLY, 0);
    wire.left().session().shared().tryAppend(header, MemorySegment.ofArray(rest), 0);
    wire.deliver();
    assertThat(request).isCompletedExceptionally();
    assertThat(node.counter("requests.failed")).isEqualTo(1);
    assertThat(node.requests().size()).isZero();
    assertOnlyTheLiarsSessionIsOver("malformed");
  }

  @Test
  void answerToARequestOfAnotherPeerIsDroppedAndTheRequestStaysOpen() {
    PendingRequest<Note> toHonest =
        new PendingRequest<>(node.requests(), otherWire.right(), Note.class, Long.MAX_VALUE);
    node.requests().add(toHonest);
    byte[] rest = new byte[Frame.CORRELATION_BYTES + Long.BYTES];
    Frame.putLongUnaligned(MemorySegment.ofArray(rest), 0, toHonest.id());
    long header = Frame.header(Frame.HEADER_BYTES + rest.length, TestHost.NOTE, Frame.REPLY, 0);
    wire.left().session().shared().tryAppend(header, MemorySegment.ofArray(rest), 0);
    wire.deliver();
    assertThat(toHonest).isNotDone();
    assertThat(node.counter("replies.late")).isEqualTo(1);
    assertThat(wire.right().hasSession()).isTrue();
  }
}
