// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.BackPressureException;
import io.verbena.MessageTooLargeException;
import io.verbena.Origin;
import io.verbena.PeerLostException;
import io.verbena.PeerRestartedException;
import io.verbena.VerbenaException;
import io.verbena.internal.connection.TestHost.Blob;
import io.verbena.internal.connection.TestHost.Fragile;
import io.verbena.internal.connection.TestHost.Note;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What two connections make of links that break and peers that die, step by step. */
@Tag("timing")
class ConnectionTest {

  private final TestHost left = new TestHost(1);
  private final TestHost right = new TestHost(2);
  private final HandWire wire = new HandWire(left, right);
  private final List<Long> atLeft = new ArrayList<>();
  private final List<Long> atRight = new ArrayList<>();

  @BeforeEach
  void listen() {
    left.handle(Note.class, (note, from) -> atLeft.add(note.number()));
    right.handle(Note.class, (note, from) -> atRight.add(note.number()));
    wire.link();
  }

  @AfterEach
  void close() {
    wire.close();
  }

  private void send(long first, long last) {
    for (long number = first; number <= last; number++) {
      Note note = new Note(number);
      wire.left().send(left.codecOf(note), note);
    }
  }

  private PendingRequest<Note> request(long number) {
    Note note = new Note(number);
    return wire.left().request(left.codecOf(note), note, Note.class, Long.MAX_VALUE);
  }

  private static Long[] numbers(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toArray(Long[]::new);
  }

  private static void assertFailed(PendingRequest<?> request, Class<? extends Throwable> with) {
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(request::join)
        .withCauseExactlyInstanceOf(with);
  }

  // ---------------------------------------------------------------- links

  @Test
  void goesOnWhereTheFarSideStoppedReceiving() {
    send(1, 5);
    wire.deliver();
    send(6, 10);
    wire.cut();
    send(11, 15);
    wire.link();
    wire.deliver();
    send(16, 16);
    wire.deliver();
    assertThat(atRight).containsExactly(numbers(1, 16));
    assertThat(left.counter("connections.made")).isEqualTo(1);
    assertThat(left.counter("connections.resumed")).isEqualTo(1);
  }

  @Test
  void linksMayBreakAnyNumberOfTimes() {
    for (int i = 1; i <= 50; i++) {
      send(i, i);
      if (i % 3 == 0) {
        wire.deliver();
      }
      wire.cut();
      wire.link();
    }
    wire.deliver();
    assertThat(atRight).containsExactly(numbers(1, 50));
    assertThat(left.news).isEmpty();
  }

  @Test
  void requestsSurviveABrokenLink() {
    right.handle(Note.class, (note, from) -> from.reply(new Note(-note.number())));
    PendingRequest<Note> request = request(3);
    wire.cut();
    wire.link();
    wire.deliverToRight();
    wire.cut();
    wire.link();
    wire.deliver();
    assertThat(request.join().number()).isEqualTo(-3);
  }

  // ---------------------------------------------------------------- another life of the peer

  @Test
  void restartFailsOpenRequestsAndReportsWhatWasNotConsumed() {
    PendingRequest<Note> first = request(100);
    send(1, 3);
    wire.deliverToRight();
    PendingRequest<Note> second = request(101);
    send(4, 6);
    TestHost newLife = new TestHost(2);
    List<Long> atNewLife = new ArrayList<>();
    newLife.handle(Note.class, (note, from) -> atNewLife.add(note.number()));
    wire.restartRight(newLife);
    wire.link(1, 2);
    wire.deliver();

    assertFailed(first, PeerRestartedException.class);
    assertFailed(second, PeerRestartedException.class);
    assertThat(left.requests().size()).isZero();
    assertThat(left.counter("requests.failed")).isEqualTo(2);
    assertThat(left.news)
        .containsExactly(
            "undeliverable note 101",
            "undeliverable note 4",
            "undeliverable note 5",
            "undeliverable note 6",
            "restarted 2");
    assertThat(left.counter("messages.undeliverable")).isEqualTo(4);
    assertThat(atNewLife).isEmpty();

    send(7, 8);
    wire.deliver();
    assertThat(atNewLife).containsExactly(7L, 8L);
  }

  @Test
  void nothingThatADeadLifeSaidIsHeardAfterItsSuccessorCame() {
    Note last = new Note(66);
    wire.right().send(right.codecOf(last), last);
    TestHost newLife = new TestHost(2);
    wire.restartRight(newLife);
    wire.link(1, 2);
    Note first = new Note(1);
    wire.right().send(newLife.codecOf(first), first);
    wire.deliver();
    assertThat(atLeft).containsExactly(1L);
  }

  @Test
  void requestOfAnotherPeerIsLeftAloneByARestart() {
    Connection third = new Connection(left, 3);
    PendingRequest<Note> toThird =
        new PendingRequest<>(left.requests(), third, Note.class, Long.MAX_VALUE);
    left.requests().add(toThird);
    wire.restartRight(new TestHost(2));
    wire.link(1, 2);
    assertThat(toThird).isNotDone();
    assertThat(left.requests().take(toThird.id(), third)).isSameAs(toThird);
  }

  // ---------------------------------------------------------------- ends

  /** The node may begin to close while its connection is being made. */
  @Test
  void sessionThatBeginsWhileTheNodeClosesLeavesPeersMessagesWhereTheyAre() {
    assertThat(takenByANodeThatCloses(new TestHost(1), new TestHost(2))).isEmpty();
  }

  @Test
  void sessionWithItselfThatBeginsWhileTheNodeClosesTakesItsMessages() {
    assertThat(takenByANodeThatCloses(new TestHost(1), new TestHost(1))).containsExactly(5L);
  }

  private static List<Long> takenByANodeThatCloses(TestHost from, TestHost closing) {
    List<Long> taken = new ArrayList<>();
    closing.writeDown(taken);
    closing.beginClosing();
    HandWire between = new HandWire(from, closing).link();
    Note note = new Note(5);
    between.left().send(from.codecOf(note), note);
    between.deliver();
    between.close();
    return taken;
  }

  @Test
  void goodbyeEndsTheSessionAfterWhatWasSaidBefore() {
    PendingRequest<Note> open = request(1);
    Note last = new Note(9);
    wire.right().send(right.codecOf(last), last);
    wire.right().sayGoodbye();
    assertThat(wire.right().isReading()).isTrue();
    wire.deliverToLeft();
    wire.right().close(new PeerLostException("closed by the test"));
    wire.deliver();
    assertThat(atLeft).containsExactly(9L);
    assertFailed(open, PeerLostException.class);
    assertThat(left.news).contains("lost 2");
    assertThat(wire.left().hasSession()).isFalse();
  }

  @Test
  void sendingOnASessionThatIsOverNamesTheReason() {
    Session over = wire.left().session();
    wire.left().close(new PeerLostException("closed by the test"));
    Note note = new Note(1);
    assertThatExceptionOfType(PeerLostException.class)
        .isThrownBy(() -> over.shared().trySend(left.codecOf(note), note))
        .withMessage("closed by the test");
  }

  @Test
  void lateReplyIsDroppedAndCounted() {
    List<Origin> waiting = new ArrayList<>();
    right.handle(Note.class, (note, from) -> waiting.add(from.retain()));
    PendingRequest<Note> late = request(1);
    wire.deliver();
    late.cancel(false);
    PendingRequest<Note> open = request(2);
    wire.deliver();
    waiting.get(0).reply(new Note(10));
    waiting.get(1).reply(new Note(20));
    wire.deliver();
    assertThat(left.counter("replies.late")).isEqualTo(1);
    assertThat(open.join().number()).isEqualTo(20);
  }

  @Test
  void replyThatTheJvmFailsToReadFailsItsRequestAndNoOther() {
    right.handle(
        Note.class,
        (note, from) -> {
          from.reply(new Fragile(note.number()));
          Fragile.FAULT.set(new OutOfMemoryError("on purpose"));
        });
    PendingRequest<Fragile> request = requestFragile(1);
    wire.deliver();
    assertThat(request).isCompletedExceptionally();
    assertFailed(request, VerbenaException.class);
    assertThat(left.counter("requests.failed")).isEqualTo(1);

    right.handle(Note.class, (note, from) -> from.reply(new Fragile(note.number())));
    PendingRequest<Fragile> next = requestFragile(2);
    wire.deliver();
    assertThat(next.join().number()).isEqualTo(2);
    assertThat(left.requests().size()).isZero();
  }

  private PendingRequest<Fragile> requestFragile(long number) {
    Note note = new Note(number);
    return wire.left().request(left.codecOf(note), note, Fragile.class, Long.MAX_VALUE);
  }

  // ---------------------------------------------------------------- large messages

  @Test
  void largeMessagesSurviveABrokenLinkBetweenTheirFragments() {
    List<Integer> lengths = new ArrayList<>();
    right.handle(Blob.class, (blob, from) -> lengths.add(blob.bytes().length));
    Blob blob = new Blob(new byte[40_000]);
    wire.left().send(left.codecOf(blob), blob);
    wire.cut();
    wire.link();
    wire.deliver();
    assertThat(lengths).containsExactly(40_000);
  }

  @Test
  @Timeout(600)
  void nextLifeOfAPeerDoesNotGetTheRestOfALargeMessage() {
    wire.deliverToWaiters();
    Blob blob = new Blob(new byte[200_000]); // three lanes full
    wire.whileLeftReceives(() -> wire.left().send(left.codecOf(blob), blob));
    assertThat(left.counter("overflow.messages")).isEqualTo(1);
    TestHost newLife = new TestHost(2);
    List<Long> atNewLife = new ArrayList<>();
    newLife.handle(Note.class, (note, from) -> atNewLife.add(note.number()));
    wire.restartRight(newLife);
    wire.link(1, 2);
    wire.deliver();
    send(1, 1);
    wire.deliver();
    assertThat(newLife.news).isEmpty();
    assertThat(atNewLife).containsExactly(1L);
  }

  // ---------------------------------------------------------------- user code that sends again

  @Test
  @Timeout(600)
  void callbackOfARequestThatFailedMaySendToTheNextLife() {
    request(1)
        .exceptionally(
            failure -> {
              send(1, 1);
              return null;
            });
    TestHost newLife = new TestHost(2);
    List<Long> atNewLife = new ArrayList<>();
    newLife.handle(Note.class, (note, from) -> atNewLife.add(note.number()));
    wire.restartRight(newLife);
    wire.link(1, 2);
    wire.deliver();
    assertThat(atNewLife).containsExactly(1L);
  }

  @Test
  @Timeout(600)
  void handlerIsToldThatItsOwnLaneIsFull() {
    ExclusiveLane sender = wire.left().openSender();
    Blob large = new Blob(new byte[100_000]);
    wire.whileLeftReceives(
        () -> {
          assertThatExceptionOfType(BackPressureException.class)
              .isThrownBy(
                  () -> {
                    for (int i = 0; i < 10_000; i++) {
                      sender.send(new Note(i));
                    }
                  })
              .withMessageContaining("must not wait");
          assertThatExceptionOfType(BackPressureException.class)
              .isThrownBy(() -> sender.claim(TestHost.NOTE, 8));
          assertThatExceptionOfType(BackPressureException.class)
              .isThrownBy(() -> sender.send(large));
        });
  }

  // ---------------------------------------------------------------- before there is a session

  @Test
  void handlersLargeMessageToAPeerNotYetConnectedArrives() {
    HandWire fresh = new HandWire(left, right);
    List<Integer> lengths = new ArrayList<>();
    right.handle(Blob.class, (blob, from) -> lengths.add(blob.bytes().length));
    Blob blob = new Blob(new byte[40_000]); // a frame takes 16,384
    fresh.whileLeftReceives(() -> fresh.left().send(left.codecOf(blob), blob));
    fresh.link();
    fresh.deliver();
    assertThat(right.news).isEmpty();
    assertThat(lengths).containsExactly(40_000);
  }

  @Test
  void handlersMessageThatIsTooLargeIsRefusedBeforeThereIsASession() {
    TestHost strict = new TestHost(1, config -> config.set("message.max.bytes", "1K"));
    HandWire fresh = new HandWire(strict, right);
    Blob blob = new Blob(new byte[1025]);
    fresh.whileLeftReceives(
        () ->
            assertThatExceptionOfType(MessageTooLargeException.class)
                .isThrownBy(() -> fresh.left().send(strict.codecOf(blob), blob))
                .withMessageContaining("message.max.bytes is 1024"));
    assertThat(fresh.left().backlogBytes()).isZero();
  }
}
