// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.NodeClosedException;
import io.verbena.RequestTimeoutException;
import io.verbena.internal.connection.TestHost.Blob;
import io.verbena.internal.connection.TestHost.Note;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A request whose time is over before it is sent stays here; one that is half sent goes on. */
@Tag("timing")
class OverdueRequestsTest {

  private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);

  private final TestHost left = new TestHost(1);
  private final TestHost right = new TestHost(2);
  private final HandWire wire = new HandWire(left, right);
  private final List<Long> heard = new ArrayList<>();

  @BeforeEach
  void link() {
    right.writeDown(heard);
    wire.link();
  }

  @AfterEach
  void close() {
    wire.close();
  }

  private PendingRequest<Note> ask(Record message, long timeoutNs) {
    return wire.left().request(left.codecOf(message), message, Note.class, timeoutNs);
  }

  private static void assertTimedOut(CompletableFuture<?> request) {
    assertThat(request)
        .failsWithin(3, TimeUnit.MINUTES)
        .withThrowableThat()
        .withCauseInstanceOf(RequestTimeoutException.class);
  }

  /** Whoever has taken a request from the table may be held up before completing it. */
  @Test
  void whoWaitsDoesNotWaitForWhoCompletesIt() {
    PendingRequest<Note> taken = ask(new Note(1), SHORT_NS);
    assertThat(left.requests().remove(taken)).isTrue();
    assertThatExceptionOfType(RequestTimeoutException.class).isThrownBy(taken::await);
  }

  /** They may look at its future. */
  @Test
  void threadsThatReceiveAreWokenForRequestsThatFail() {
    PendingRequest<Note> overdue = ask(new Note(1), HOUR_NS);
    int before = left.wakes();
    overdue.timeOut();
    assertThat(left.wakes()).isGreaterThan(before);

    PendingRequest<Note> lost = ask(new Note(2), HOUR_NS);
    before = left.wakes();
    wire.left().close(new NodeClosedException("on purpose"));
    assertThat(lost).isCompletedExceptionally();
    assertThat(left.wakes()).isGreaterThan(before);
  }

  @Test
  void whoCompletesItLateStillSaysThatItWasNotSent() {
    PendingRequest<Note> taken =
        new PendingRequest<>(left.requests(), wire.left(), Note.class, SHORT_NS);
    left.requests().add(taken);
    assertThat(left.requests().remove(taken)).isTrue();
    while (!taken.isOver("as the test held it up")) {
      Thread.onSpinWait();
    }
    taken.sent(); // its sender has returned
    assertThatExceptionOfType(RequestTimeoutException.class)
        .isThrownBy(taken::await)
        .withMessageEndingWith("the request was not sent, as the test held it up");
  }

  /** Handlers ask on a lane of their own: what they ask waits once that one is full. */
  @Test
  void whatAHandlerHasQueuedIsNotSentOnceItsTimeIsOver() {
    AtomicInteger asked = new AtomicInteger();
    List<PendingRequest<Note>> overdue = new ArrayList<>();
    wire.whileLeftReceives(
        () -> {
          while (left.counter("overflow.messages") == 0) {
            ask(new Blob(new byte[10_000]), HOUR_NS);
            asked.getAndIncrement();
          }
          overdue.add(ask(new Note(-1), HOUR_NS));
          overdue.add(ask(new Blob(new byte[300_000]), HOUR_NS));
          ask(new Note(7), HOUR_NS);
        });
    assertThat(wire.left().backlogBytes()).isPositive();
    overdue.forEach(PendingRequest::timeOut);
    overdue.forEach(OverdueRequestsTest::assertTimedOut);
    wire.deliver();
    assertThat(heard).hasSize(asked.get() + 1).doesNotContain(-1L, -300_000L).endsWith(7L);
    assertThat(wire.left().backlogBytes()).isZero();
  }

  /** The far side has its beginning: the lane could carry no other large message before its end. */
  @Test
  void largeRequestIsSentToItsEndBehindItsCaller() throws InterruptedException {
    assertTimedOut(ask(new Blob(new byte[300_000]), SHORT_NS));
    assertTimedOut(ask(new Blob(new byte[200_000]), SHORT_NS)); // waits for the other one's end
    Blob next = new Blob(new byte[400_000]);
    Thread sender = Thread.ofPlatform().start(() -> wire.left().send(left.codecOf(next), next));
    while (sender.isAlive()) {
      wire.deliver();
      Thread.onSpinWait();
    }
    wire.deliver();
    assertThat(heard).containsExactly(-300_000L, -400_000L);
  }
}
