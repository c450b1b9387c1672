// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.BackPressureException;
import io.verbena.MessageTooLargeException;
import io.verbena.PeerLostException;
import io.verbena.SendResult;
import io.verbena.TypedSender;
import io.verbena.UnregisteredTypeException;
import io.verbena.internal.connection.TestHost.Blob;
import io.verbena.internal.connection.TestHost.Busy;
import io.verbena.internal.connection.TestHost.Note;
import io.verbena.internal.connection.TestHost.Stranger;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("timing")
class ExclusiveLaneTest {

  private final TestHost left = new TestHost(1, builder -> builder.set("lanes.max", "3"));
  private final TestHost right = new TestHost(2, builder -> builder.set("lanes.max", "3"));
  private final HandWire wire = new HandWire(left, right);
  private final List<Long> heard = new ArrayList<>();
  private ExclusiveLane sender;

  @BeforeEach
  void open() {
    right.handle(Note.class, (note, from) -> heard.add(note.number()));
    wire.link().deliverToWaiters();
    sender = wire.left().openSender();
  }

  @AfterEach
  void close() {
    wire.close();
  }

  private void writeNote(long at, long number) {
    sender.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, at, number);
  }

  private long fill() {
    long sent = 0;
    while (sender.trySend(new Note(sent)) == SendResult.ACCEPTED) {
      sent++;
    }
    return sent;
  }

  @Test
  void claimsAndRecordsArriveInTheOrderSent() {
    sender.send(new Note(1));
    writeNote(sender.claim(TestHost.NOTE, 8), 2);
    sender.commit();
    sender.send(new Note(3));
    wire.deliver();
    assertThat(heard).containsExactly(1L, 2L, 3L);
    assertThat(sender.to()).isEqualTo(2);
  }

  // ---------------------------------------------------------------- typed senders

  @Test
  void recordsOfTypedSendersGoInTheLanesOrder() {
    right.handle(Blob.class, (blob, from) -> heard.add((long) blob.bytes().length));
    TypedSender<Note> notes = sender.typed(Note.class);
    TypedSender<Blob> blobs = sender.typed(Blob.class); // of any length
    notes.send(new Note(1));
    sender.send(new Note(2));
    blobs.send(new Blob(new byte[3]));
    sender.typed(Note.class).send(new Note(4));
    wire.deliver();
    assertThat(heard).containsExactly(1L, 2L, 3L, 4L);
    assertThat(left.counter("messages.sent")).isEqualTo(4);
    assertThat(left.counter("bytes.sent")).isEqualTo(3 * 8 + 1 + 3);
  }

  @Test
  void typedSenderWaitsForRoom() {
    TypedSender<Note> notes = sender.typed(Note.class);
    long sent = 20_000; // several times what the lane holds
    for (long i = 0; i < sent; i++) {
      notes.send(new Note(i));
    }
    wire.deliver();
    assertThat(heard).hasSize((int) sent).endsWith(sent - 1);
  }

  @Test
  void typedSenderIsForRegisteredTypes() {
    assertThatExceptionOfType(UnregisteredTypeException.class)
        .isThrownBy(() -> sender.typed(Stranger.class));
  }

  @Test
  void typedSenderEndsWithItsSender() {
    TypedSender<Note> notes = sender.typed(Note.class);
    sender.claim(TestHost.NOTE, 8);
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> notes.send(new Note(1)))
        .withMessageContaining("commit or abort it first");
    sender.close();
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> notes.send(new Note(1)))
        .withMessage("this sender is closed");
  }

  @Test
  void typedSenderOfASessionThatIsOverSaysSo() {
    TypedSender<Note> notes = sender.typed(Note.class);
    wire.left().close(new PeerLostException("node 2 is gone"));
    assertThatExceptionOfType(PeerLostException.class)
        .isThrownBy(() -> notes.send(new Note(1)))
        .withMessage("node 2 is gone");
  }

  @Test
  void whatAnAccessorThrowsLeavesNothingInTheLaneOfATypedSender() {
    TypedSender<Busy> busy = sender.typed(Busy.class);
    Busy.ERRAND.set(
        () -> {
          throw new IllegalStateException("the accessor's own");
        });
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> busy.send(new Busy(1)))
        .withMessage("the accessor's own");
    sender.send(new Note(2));
    wire.deliver();
    assertThat(heard).containsExactly(2L);
  }

  /** Its memory would be freed, to which the message is still being written. */
  @ParameterizedTest
  @ValueSource(strings = {"typed", "exclusive", "shared"})
  void whoClosesTheConnectionWhileItsMessageIsWrittenIsToldSo(String how) {
    Busy message = new Busy(1);
    Runnable send =
        switch (how) {
          case "typed" -> () -> sender.typed(Busy.class).send(message);
          case "exclusive" -> () -> sender.send(message);
          default -> () -> wire.left().send(left.codecOf(message), message);
        };
    Busy.ERRAND.set(() -> wire.left().close(new PeerLostException("closed by an accessor")));
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(send::run)
        .withMessageContaining("while it writes");
    sender.send(new Note(2)); // nothing has ended
    wire.deliver();
    assertThat(heard).containsExactly(2L);
  }

  // ---------------------------------------------------------------- claims and records

  @Test
  void roomThatWasGivenUpIsClaimedAgainAndAligned() {
    long first = sender.claim(TestHost.BLOB, 1_000);
    sender.segment().asSlice(first, 1_000).fill((byte) 1);
    sender.abort();
    long again = sender.claim(TestHost.BLOB, 1_000);
    assertThat(again).isEqualTo(first);
    assertThat(again % 8).isZero();
  }

  @Test
  void whoSendsWhileItsMessageIsWrittenIsToldSoOnEitherKindOfLane() {
    right.handle(Busy.class, (busy, from) -> heard.add(busy.number()));
    for (Runnable send :
        List.<Runnable>of(
            () -> sender.send(new Busy(1)),
            () -> sender.typed(Busy.class).send(new Busy(1)),
            () -> wire.left().send(left.codecOf(new Busy(1)), new Busy(1)))) {
      Busy.ERRAND.set(send);
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(send::run)
          .withMessageContaining("must not send while it writes");
      send.run();
    }
    wire.deliver();
    assertThat(heard).containsExactly(1L, 1L, 1L);
    assertThat(right.news).isEmpty();
  }

  @Test
  void whatWasGivenUpIsNotSent() {
    writeNote(sender.claim(TestHost.NOTE, 8), 1);
    sender.abort();
    sender.send(new Note(2));
    wire.deliver();
    assertThat(heard).containsExactly(2L);
  }

  @Test
  void openClaimIsNotSeenBeforeItsCommit() {
    writeNote(sender.claim(TestHost.NOTE, 8), 1);
    wire.deliver();
    assertThat(heard).isEmpty();
    sender.commit();
    wire.deliver();
    assertThat(heard).containsExactly(1L);
  }

  @Test
  void fullLaneSaysSoAndClaimWaitsForRoom() {
    long sent = fill();
    assertThat(sent).isGreaterThan(3_000);
    assertThat(sender.tryClaim(TestHost.NOTE, 8)).isEqualTo(-1);
    writeNote(sender.claim(TestHost.NOTE, 8), sent);
    sender.commit();
    wire.deliver();
    assertThat(heard).hasSize((int) sent + 1).endsWith(sent - 1, sent);
    assertThat(left.counter("backpressure.waits")).isPositive();
  }

  @Test
  void otherLanesHaveRoomWhileThisOneIsFull() {
    fill();
    Note note = new Note(-1);
    assertThat(wire.left().trySend(left.codecOf(note), note)).isEqualTo(SendResult.ACCEPTED);
    try (ExclusiveLane another = wire.left().openSender()) {
      assertThat(another.trySend(note)).isEqualTo(SendResult.ACCEPTED);
    }
  }

  @Test
  void claimsOfTheWrongSizeAreRefusedNamingTheLimit() {
    int max = sender.maxClaim();
    assertThat(max).isEqualTo(TestHost.LANE_BYTES / 4 - 8);
    for (int length : new int[] {-1, max + 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertThatExceptionOfType(MessageTooLargeException.class)
          .isThrownBy(() -> sender.claim(TestHost.NOTE, length))
          .withMessageContaining("0 to " + max + " are possible");
    }
    sender.claim(TestHost.VIEW, max);
    sender.abort();
    sender.claim(TestHost.VIEW, 0);
    sender.commit();
  }

  @Test
  void typesThatAreNotRegisteredAreRefused() {
    assertThatExceptionOfType(UnregisteredTypeException.class)
        .isThrownBy(() -> sender.claim(999, 8));
    assertThatExceptionOfType(UnregisteredTypeException.class)
        .isThrownBy(() -> sender.claim(-1, 8));
    assertThatExceptionOfType(UnregisteredTypeException.class)
        .isThrownBy(() -> sender.send(new Stranger()));
    sender.send(new Note(1));
    wire.deliver();
    assertThat(heard).containsExactly(1L);
  }

  @Test
  void onlyOneClaimIsOpenAtATime() {
    sender.claim(TestHost.NOTE, 8);
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> sender.claim(TestHost.NOTE, 8))
        .withMessageContaining("commit or abort it first");
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> sender.send(new Note(1)));
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> sender.trySend(new Note(1)));
    sender.abort();
    sender.send(new Note(1));
  }

  @Test
  void commitAndAbortNeedAClaim() {
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(sender::commit);
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(sender::abort);
    sender.claim(TestHost.NOTE, 8);
    sender.commit();
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(sender::commit);
  }

  @Test
  void closingWaitsUntilEverythingIsConsumedAndDropsAnOpenClaim() {
    long sent = fill();
    sender.close();
    assertThat(heard).hasSize((int) sent);

    ExclusiveLane another = wire.left().openSender();
    another.claim(TestHost.NOTE, 8);
    another.close();
    another.close();
    wire.deliver();
    assertThat(heard).hasSize((int) sent);
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> another.send(new Note(1)))
        .withMessage("this sender is closed");
  }

  @Test
  void closedLanesMakeRoomForOthers() {
    for (int i = 0; i < 20; i++) {
      try (ExclusiveLane next = wire.left().openSender()) {
        next.send(new Note(i));
      }
    }
    assertThat(heard).hasSize(20).endsWith(19L);
    assertThat(wire.left().info().lanes()).isEqualTo(2);
    assertThat(left.counter("messages.sent")).isEqualTo(20);
  }

  @Test
  void moreLanesThanAllowedAreRefusedNamingTheKey() {
    wire.left().openSender();
    assertThatExceptionOfType(BackPressureException.class)
        .isThrownBy(() -> wire.left().openSender())
        .withMessageContaining("lanes.max is 3");
  }

  @Test
  void lanesOfASessionThatIsOverSaySo() {
    wire.left().close(new PeerLostException("node 2 is gone"));
    assertThatExceptionOfType(PeerLostException.class)
        .isThrownBy(() -> sender.send(new Note(1)))
        .withMessage("node 2 is gone");
    assertThatExceptionOfType(PeerLostException.class)
        .isThrownBy(() -> sender.trySend(new Note(1)));
    assertThatExceptionOfType(PeerLostException.class)
        .isThrownBy(() -> sender.claim(TestHost.NOTE, 8));
    sender.close();
  }

  /** The session ends while the message is half written; who ends it waits for the rest. */
  @Test
  void messageAcceptedWhileTheSessionEndsIsReported() throws InterruptedException {
    AtomicReference<Thread> ending = new AtomicReference<>();
    Busy.ERRAND.set(
        () -> {
          ending.set(endSession());
          joinForAWhile(ending.get()); // it would report what the lane holds without this message
        });
    sender.send(new Busy(1));
    ending.get().join();
    assertThat(left.news).containsExactly("undeliverable type 4 of 8", "lost 2");
    assertThatExceptionOfType(PeerLostException.class).isThrownBy(() -> sender.send(new Busy(2)));
  }

  /** Returns the thread that ends it; it may have more to do. */
  private Thread endSession() {
    Session session = wire.left().session();
    Thread ending =
        Thread.ofPlatform().start(() -> wire.left().close(new PeerLostException("node 2 is gone")));
    while (session.ended() == null) {
      Thread.onSpinWait();
    }
    return ending;
  }

  private static void joinForAWhile(Thread thread) {
    try {
      thread.join(Duration.ofMillis(100));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** It is the codec's, whatever became of the session meanwhile. */
  @Test
  void whatACodecThrowsReachesItsCallerThoughTheSessionEnds() throws InterruptedException {
    AtomicReference<Thread> ending = new AtomicReference<>();
    Busy.ERRAND.set(
        () -> {
          ending.set(endSession());
          throw new IllegalStateException("the codec's own");
        });
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> sender.send(new Busy(1)))
        .withMessage("the codec's own");
    ending.get().join();
    assertThat(left.news).containsExactly("lost 2");
  }

  @Test
  void laneGoesOnOverTheNextLink() {
    sender.send(new Note(1));
    wire.deliver();
    sender.send(new Note(2));
    wire.cut();
    sender.send(new Note(3));
    wire.link();
    wire.deliver();
    assertThat(heard).containsExactly(1L, 2L, 3L);
  }

  @Test
  void whatALaneHeldIsReportedWhenThePeerRestarts() {
    sender.send(new Note(1));
    wire.deliver();
    sender.send(new Note(2));
    sender.send(new Blob(new byte[100]));
    wire.restartRight(new TestHost(2));
    wire.link(1, 2);
    assertThat(left.news)
        .containsExactly("undeliverable note 2", "undeliverable type 2 of 101", "restarted 2");
  }
}
