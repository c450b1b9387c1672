// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.BackPressureException;
import io.verbena.PeerLostException;
import io.verbena.SendResult;
import io.verbena.internal.connection.TestHost.Blob;
import io.verbena.internal.connection.TestHost.Note;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A handler's send never waits: what finds no room is queued, in order, up to a limit. */
class QueuedByHandlersTest {

  private static final int OVERFLOW_BYTES = 1 << 20;

  private final TestHost left = new TestHost(1, builder -> builder.set("overflow.bytes", "1M"));
  private final TestHost right = new TestHost(2);
  private final HandWire wire = new HandWire(left, right);
  private final List<Long> heard = new ArrayList<>();
  private final AtomicLong sent = new AtomicLong();

  @BeforeEach
  void link() {
    right.writeDown(heard);
    wire.link();
  }

  @AfterEach
  void close() {
    wire.close();
  }

  private void send(Record message) {
    wire.left().send(left.codecOf(message), message);
  }

  private void sendNext() {
    send(new Note(sent.get()));
    sent.incrementAndGet();
  }

  /** Sends until the lane is full and this many more are queued. */
  private void fillAndQueue(int queued) {
    wire.whileLeftReceives(
        () -> {
          while (left.counter("overflow.messages") < queued) {
            sendNext();
          }
        });
    assertThat(left.counter("overflow.messages")).isEqualTo(queued);
  }

  private Long[] allSent() {
    return LongStream.range(0, sent.get()).boxed().toArray(Long[]::new);
  }

  @Test
  void queuedMessagesArriveInOrderAfterThoseInTheLane() {
    fillAndQueue(100);
    assertThat(wire.left().backlogBytes()).isEqualTo(100 * (8 + Backlog.Queued.OVERHEAD_BYTES));
    wire.deliver();
    assertThat(heard).containsExactly(allSent());
    assertThat(wire.left().backlogBytes()).isZero();
  }

  @Test
  void othersDoNotOvertakeWhatIsQueued() {
    fillAndQueue(10);
    Note note = new Note(-1);
    wire.deliverToRight(); // there is room now
    assertThat(wire.left().trySend(left.codecOf(note), note)).isEqualTo(SendResult.FULL);
    wire.deliver();
    sendNext();
    wire.deliver();
    assertThat(heard).containsExactly(allSent());
  }

  @Test
  void queueIsBoundedAndTheHandlerIsTold() {
    wire.whileLeftReceives(
        () ->
            assertThatExceptionOfType(BackPressureException.class)
                .isThrownBy(
                    () -> {
                      while (true) {
                        sendNext();
                      }
                    })
                .withMessageContaining("overflow.bytes is " + OVERFLOW_BYTES));
    assertThat(wire.left().backlogBytes()).isBetween(OVERFLOW_BYTES - 71L, (long) OVERFLOW_BYTES);
    wire.deliver();
    assertThat(heard).containsExactly(allSent());
  }

  @Test
  void largeMessageOfAHandlerIsQueuedWholeBehindTheOthers() {
    fillAndQueue(1);
    wire.whileLeftReceives(() -> send(new Blob(new byte[300_000])));
    wire.whileLeftReceives(this::sendNext);
    wire.deliver();
    assertThat(heard).hasSize((int) sent.get() + 1).endsWith(-300_000L, sent.get() - 1);
  }

  @Test
  void connectionWithQueuedMessagesIsNotIdle() {
    fillAndQueue(1);
    wire.deliverToRight();
    wire.left().proposeClose();
    wire.deliver();
    assertThat(heard).containsExactly(allSent());
    assertThat(left.counter("connections.evicted")).isZero();
  }

  @Test
  void whatIsQueuedSurvivesABrokenLink() {
    fillAndQueue(10);
    wire.cut();
    wire.whileLeftReceives(this::sendNext);
    wire.link();
    wire.deliver();
    assertThat(heard).containsExactly(allSent());
  }

  /** It would hold up all that comes after it. */
  @Test
  void whatIsQueuedForTheNextSessionFitsThoughItsLaneCannotGrow() {
    TestHost patient = new TestHost(1, builder -> builder.set("connect.timeout", "10m"));
    HandWire fresh = new HandWire(patient, right);
    Blob large = new Blob(new byte[30_000]);
    fresh.whileLeftReceives(() -> fresh.left().send(patient.codecOf(large), large));
    fresh.leftHasMemoryFor(OutboundLanes.LEAST_BYTES);
    fresh.link();
    fresh.deliver();
    Note next = new Note(7);
    assertThat(fresh.left().trySend(patient.codecOf(next), next)).isEqualTo(SendResult.ACCEPTED);
    fresh.deliver();
    assertThat(heard).containsExactly(-30_000L, 7L);
    fresh.close();
  }

  @Test
  void whatIsQueuedIsReportedWhenThePeerIsLost() {
    fillAndQueue(10);
    wire.left().close(new PeerLostException("closed by the test"));
    assertThat(left.counter("messages.undeliverable")).isEqualTo(sent.get());
    assertThat(left.news).hasSize((int) sent.get() + 1); // and that it is lost
    assertThat(wire.left().backlogBytes()).isZero();
  }
}
