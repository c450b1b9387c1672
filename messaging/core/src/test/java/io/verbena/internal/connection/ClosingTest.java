// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.ConnectionInfo;
import io.verbena.PeerUnreachableException;
import io.verbena.SendResult;
import io.verbena.internal.connection.Closing.IdleClosedException;
import io.verbena.internal.connection.TestHost.Note;
import io.verbena.internal.lane.Frame;
import io.verbena.transport.Outlet;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Idle connections are closed by agreement, whatever happens meanwhile: nothing is lost. */
@Tag("timing")
class ClosingTest {

  private static final long PATIENCE_S = 180;

  private final TestHost left = new TestHost(1);
  private final TestHost right = new TestHost(2);
  private final HandWire wire = new HandWire(left, right);
  private final List<Long> atLeft = new ArrayList<>();
  private final List<Long> atRight = new ArrayList<>();
  private final Semaphore dials = new Semaphore(0); // one for each of the left side's

  @BeforeEach
  void listen() {
    left.handle(Note.class, (note, from) -> atLeft.add(note.number()));
    right.handle(Note.class, (note, from) -> atRight.add(note.number()));
    wire.link();
    left.transports = List.of(new Dials());
  }

  @AfterEach
  void close() {
    wire.close();
  }

  /** Links come by hand; this one tells that one was asked for. */
  private final class Dials extends TestTransport {
    @Override
    public void connect(int peer, String address, Duration timeout) throws IOException {
      dials.release();
      throw new IOException("links are made by hand");
    }
  }

  private void send(long first, long last) {
    for (long number = first; number <= last; number++) {
      Note note = new Note(number);
      wire.left().send(left.codecOf(note), note);
    }
  }

  private void sendFromRight(long number) {
    Note note = new Note(number);
    wire.right().send(right.codecOf(note), note);
  }

  private PendingRequest<Note> request(long number) {
    Note note = new Note(number);
    return wire.left().request(left.codecOf(note), note, Note.class, Long.MAX_VALUE);
  }

  private static Long[] numbers(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toArray(Long[]::new);
  }

  private void assertNothingWasLost() {
    assertThat(left.news).isEmpty();
    assertThat(right.news).isEmpty();
  }

  private static long afterLinkTimeout(TestHost host) {
    return System.nanoTime() + host.config().linkTimeout().toNanos() + 1;
  }

  // ---------------------------------------------------------------- agreement

  @Test
  void idleConnectionIsClosedByAgreementAndComesBack() {
    send(1, 3);
    wire.deliver();
    wire.left().proposeClose();
    wire.deliver();
    assertThat(wire.left().hasSession()).isFalse();
    assertThat(wire.right().hasSession()).isFalse();
    assertThat(left.counter("connections.evicted")).isEqualTo(1);
    assertThat(right.counter("connections.evicted")).isEqualTo(1);
    assertThat(left.news).isEmpty();

    wire.link();
    send(4, 4);
    wire.deliver();
    assertThat(atRight).containsExactly(numbers(1, 4));
  }

  @Test
  void bothMayProposeAtTheSameMoment() {
    wire.left().proposeClose();
    wire.right().proposeClose();
    wire.deliver();
    assertThat(wire.left().hasSession()).isFalse();
    assertThat(wire.right().hasSession()).isFalse();
    assertThat(left.news).isEmpty();
    assertThat(right.news).isEmpty();
  }

  @Test
  void peerWithSomethingUnderWayRefusesAndBothGoOn() {
    Note note = new Note(5);
    wire.right().send(right.codecOf(note), note);
    wire.left().proposeClose();
    wire.deliverToRight();
    wire.deliver();
    assertThat(wire.left().hasSession()).isTrue();
    assertThat(atLeft).containsExactly(5L);
    send(1, 2);
    wire.deliver();
    assertThat(atRight).containsExactly(1L, 2L);
    assertThat(left.counter("connections.evicted")).isZero();
  }

  @Test
  void connectionWithAnOpenRequestIsNotIdle() {
    right.handle(Note.class, (note, from) -> from.retain());
    PendingRequest<Note> open = request(1);
    wire.deliver();
    wire.left().proposeClose();
    wire.deliver();
    assertThat(wire.left().hasSession()).isTrue();
    assertThat(open).isNotDone();
  }

  @Test
  void peerThatWaitsForAnAnswerRefuses() {
    PendingRequest<Note> open =
        new PendingRequest<>(right.requests(), wire.right(), Note.class, Long.MAX_VALUE);
    right.requests().add(open);
    wire.left().proposeClose();
    wire.deliver();
    assertThat(wire.left().hasSession()).isTrue();
    assertThat(wire.right().hasSession()).isTrue();
    assertThat(open).isNotDone();
  }

  @Test
  void nothingIsAcceptedOnceAnIdleConnectionIsProposedForClosing() {
    wire.left().proposeClose();
    Note note = new Note(1);
    assertThat(wire.left().trySend(left.codecOf(note), note)).isEqualTo(SendResult.FULL);
    wire.deliver();
    assertThat(wire.left().trySend(left.codecOf(note), note)).isEqualTo(SendResult.CONNECTING);
    wire.link();
    assertThat(wire.left().trySend(left.codecOf(note), note)).isEqualTo(SendResult.ACCEPTED);
    wire.deliver();
    assertThat(atRight).containsExactly(1L);
  }

  @Test
  void handlersMessageThatMeetsAClosingConnectionArrivesOverTheNextOne() {
    wire.left().proposeClose();
    wire.deliverToRight();
    wire.whileLeftReceives(() -> send(1, 1));
    wire.deliver();
    assertThat(wire.left().hasSession()).isFalse();
    wire.link();
    wire.deliver();
    assertThat(atRight).containsExactly(1L);
    assertNothingWasLost();
  }

  @Test
  void refusalThatFindsNoRoomIsSaidLater() {
    wire.whileLeftReceives(
        () -> {
          while (wire.left().backlogOf(1).isEmpty()) { // the inner lane, where refusals go
            wire.left().session().answers().replyError(9, "nobody has asked for this");
          }
        });
    Note note = new Note(1);
    wire.right().proposeClose();
    wire.deliver();
    assertThat(wire.right().trySend(right.codecOf(note), note)).isEqualTo(SendResult.FULL);
    wire.left().tick(System.nanoTime());
    wire.deliver();
    assertThat(wire.right().trySend(right.codecOf(note), note)).isEqualTo(SendResult.ACCEPTED);
  }

  /** The left side's handlers may wait for lanes that it has sealed. */
  @Test
  void refusalDoesNotWaitBehindMessagesThatWaitForHandlers() {
    wire.left().stopTaking();
    sendFromRight(1);
    wire.left().proposeClose();
    wire.deliverToRight();
    wire.deliver();
    Note note = new Note(2);
    assertThat(atLeft).isEmpty();
    assertThat(wire.left().trySend(left.codecOf(note), note)).isEqualTo(SendResult.ACCEPTED);
  }

  /** What is read while the seal is announced, as the receiving thread may. */
  @Test
  void proposalsMayCrossAtAnyMoment() {
    Outlet real = wire.left().session().shared().outlet();
    wire.left().session().shared().ring().outlet(new Reading(real));
    wire.right().proposeClose();
    wire.left().proposeClose();
    Note note = new Note(9);
    wire.right().backlogOf(0).add(Frame.MESSAGE, 0, right.codecOf(note), note, 8, 1_000);
    wire.deliverToRight();
    wire.deliver();
    wire.link();
    wire.deliver();
    assertThat(atLeft).containsExactly(9L);
    assertNothingWasLost();
  }

  private final class Reading implements Outlet {
    private final Outlet real;

    Reading(Outlet real) {
      this.real = real;
    }

    @Override
    public void published() {
      wire.left().session().shared().ring().outlet(real);
      wire.deliverToLeft();
    }

    @Override
    public void awaitConsumed(long position, long timeoutNs) {}

    @Override
    public void finish(long finalPosition) {}
  }

  @Test
  void lookingForALaneWhileItClosesUsesNoIdsUp() throws IOException {
    sendFromRight(7);
    wire.left().proposeClose();
    Session session = wire.left().session();
    for (int i = 0; i < 70_000; i++) {
      assertThatExceptionOfType(IdleClosedException.class).isThrownBy(session::openLane);
    }
    wire.deliverToRight(); // which refuses
    wire.deliver();
    assertThat(session.openLane().id()).isEqualTo(2); // the first behind the shared ones
  }

  @Test
  void whoAgreedWaitsNoLongerThanTheLimitForTheEndOfTheLink() {
    wire.left().proposeClose();
    wire.deliverToRight();
    wire.right().tick(System.nanoTime());
    assertThat(wire.right().info().state()).isEqualTo(ConnectionInfo.State.CLOSING);
    wire.right().tick(afterLinkTimeout(right));
    assertThat(wire.right().hasSession()).isFalse();
    assertNothingWasLost();
  }

  @Test
  void nextLinkMayComeBeforeTheEndOfTheLastIsKnown() {
    wire.left().proposeClose();
    wire.deliverToRight();
    wire.deliverToLeft();
    wire.link();
    send(1, 1);
    wire.deliver();
    assertThat(atRight).containsExactly(1L);
    assertThat(right.counter("connections.evicted")).isEqualTo(1);
    assertNothingWasLost();
  }

  @Test
  void connectionWithAnExclusiveLaneIsNotIdle() {
    ExclusiveLane sender = wire.left().openSender();
    wire.left().proposeClose();
    wire.right().proposeClose();
    wire.deliver();
    sender.send(new Note(1));
    wire.deliver();
    assertThat(atRight).containsExactly(1L);
    assertThat(wire.left().info().state()).isEqualTo(ConnectionInfo.State.CONNECTED);
    assertThat(wire.right().info().state()).isEqualTo(ConnectionInfo.State.CONNECTED);
  }

  @Test
  @Timeout(PATIENCE_S)
  void senderOpenedMeanwhileGetsItsLaneInTheNextSession() throws InterruptedException {
    wire.left().proposeClose();
    Thread opener =
        Thread.ofPlatform().daemon().start(() -> wire.left().openSender().send(new Note(1)));
    while (left.counter("backpressure.waits") == 0) {
      Thread.onSpinWait();
    }
    wire.deliver();
    dials.acquire();
    wire.link();
    opener.join();
    wire.deliver();
    assertThat(atRight).containsExactly(1L);
    assertNothingWasLost();
  }

  @Test
  void handlerIsNotMadeToWaitForALaneInTheNextSession() {
    wire.left().proposeClose();
    wire.whileLeftReceives(
        () ->
            assertThatExceptionOfType(PeerUnreachableException.class)
                .isThrownBy(wire.left()::openSender)
                .withMessageContaining("is being closed"));
  }

  @Test
  void whatIsSentAtTheLastMomentKeepsTheConnection() {
    assertThat(wire.left().session().seal(Control.CLOSE, () -> false)).isFalse();
    send(1, 1);
    wire.deliver();
    assertThat(atRight).containsExactly(1L);
  }

  // ---------------------------------------------------------------- the link breaks meanwhile

  @Test
  void messageThatWasOnItsWayWhenTheLinkBrokeArrivesOverTheNextOne() {
    sendFromRight(7);
    wire.left().proposeClose();
    wire.cut();
    wire.link();
    wire.deliver();
    assertThat(atLeft).containsExactly(7L);
    assertNothingWasLost();
  }

  @Test
  void closeGoesOnOverTheNextLink() {
    wire.left().proposeClose();
    wire.cut();
    assertThat(wire.left().info().state()).isEqualTo(ConnectionInfo.State.CLOSING);
    wire.link();
    wire.deliver();
    assertThat(wire.left().hasSession()).isFalse();
    assertThat(wire.right().hasSession()).isFalse();
    assertThat(left.counter("connections.evicted")).isEqualTo(1);
    assertNothingWasLost();
  }

  @Test
  void refusalThatWasOnItsWayWhenTheLinkBrokeArrivesOverTheNextOne() {
    sendFromRight(7);
    wire.left().proposeClose();
    wire.deliverToRight();
    wire.cut();
    wire.link();
    wire.deliver();
    send(1, 1);
    wire.deliver();
    assertThat(atLeft).containsExactly(7L);
    assertThat(atRight).containsExactly(1L);
    assertThat(left.counter("connections.evicted")).isZero();
    assertNothingWasLost();
  }

  @Test
  void whoAgreedIsDoneWhenTheLinkBreaksAndTheNextSessionBeginsQuietly() {
    wire.left().proposeClose();
    wire.deliverToRight();
    wire.cut();
    assertThat(wire.right().hasSession()).isFalse();
    assertThat(wire.left().hasSession()).isTrue();
    wire.link();
    send(1, 1);
    wire.deliver();
    assertThat(atRight).containsExactly(1L);
    assertThat(left.counter("connections.evicted")).isEqualTo(1);
    assertNothingWasLost();
  }

  @Test
  void proposerIsDoneAfterTheLimitAndDoesNotDialMeanwhile() throws InterruptedException {
    wire.left().proposeClose();
    wire.cut();
    wire.left().tick(System.nanoTime());
    assertThat(dials.tryAcquire(50, TimeUnit.MILLISECONDS)).isFalse();
    wire.left().tick(afterLinkTimeout(left));
    assertThat(wire.left().hasSession()).isFalse();
    assertThat(left.counter("connections.evicted")).isEqualTo(1);
    assertThat(left.news).isEmpty();
  }

  @Test
  void nothingIsLeftToFlush() {
    wire.left().proposeClose();
    wire.cut();
    assertThat(wire.left().isFlushed()).isTrue();
  }

  @Test
  void proposerDialsForAHandlersMessage() throws InterruptedException {
    wire.left().proposeClose();
    wire.cut();
    wire.whileLeftReceives(() -> send(1, 1));
    assertThat(dials.tryAcquire(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
    wire.link();
    wire.deliver();
    wire.link();
    wire.deliver();
    assertThat(atRight).containsExactly(1L);
    assertNothingWasLost();
  }

  @Test
  void proposerDialsForWhoTriesToSend() throws InterruptedException {
    wire.left().proposeClose();
    wire.cut();
    Note note = new Note(1);
    assertThat(wire.left().trySend(left.codecOf(note), note)).isEqualTo(SendResult.FULL);
    assertThat(dials.tryAcquire(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  @Timeout(PATIENCE_S)
  void proposerDialsForAWaitingSender() throws InterruptedException {
    wire.left().proposeClose();
    wire.cut();
    Thread sender = Thread.ofPlatform().daemon().start(() -> send(1, 1));
    dials.acquire();
    wire.link();
    wire.deliver(); // closed by agreement at last
    wire.link();
    sender.join();
    wire.deliver();
    assertThat(atRight).containsExactly(1L);
    assertNothingWasLost();
  }

  @Test
  void peerStartedAgainMeanwhileIsReportedAsSuch() {
    wire.left().proposeClose();
    TestHost newLife = new TestHost(2);
    wire.restartRight(newLife);
    wire.link(1, 2);
    wire.deliver();
    assertThat(left.news).containsExactly("restarted 2");
  }
}
