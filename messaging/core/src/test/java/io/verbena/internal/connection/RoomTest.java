// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.NodeClosedException;
import io.verbena.PeerLostException;
import io.verbena.SendResult;
import io.verbena.internal.connection.TestHost.Blob;
import io.verbena.internal.connection.TestHost.Note;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is told of room in a lane, and when: on a wire moved by hand. */
class RoomTest {

  private final TestHost left = new TestHost(1);
  private final TestHost right = new TestHost(2);
  private final HandWire wire = new HandWire(left, right);
  private final List<Long> heard = new ArrayList<>();

  @BeforeEach
  void open() {
    right.handle(Note.class, (note, from) -> heard.add(note.number()));
    wire.link().deliverToWaiters();
  }

  @AfterEach
  void close() {
    wire.close();
  }

  private ExclusiveLane filledSender() {
    ExclusiveLane sender = wire.left().openSender();
    while (sender.trySend(new Note(0)) == SendResult.ACCEPTED) {
      // until it is full
    }
    return sender;
  }

  /** Its shared lane is full. */
  private Connection filledConnection() {
    Connection connection = wire.left();
    var notes = left.types().codecOf(Note.class);
    while (connection.trySend(notes, new Note(0)) == SendResult.ACCEPTED) {
      // until it is
    }
    return connection;
  }

  @Test
  void exclusiveLaneTellsOfRoomWhenWhatWasAskedForCanBeClaimed() {
    ExclusiveLane sender = filledSender();
    CompletableFuture<Void> room = sender.whenRoom(sender.maxClaim());
    left.moveBacklog();
    assertThat(room).isNotDone();
    assertThat(left.wakes()).isZero();

    wire.deliver();

    left.moveBacklog();
    assertThat(room).isCompleted();
    assertThat(left.wakes()).isOne();
    assertThat(sender.tryClaim(TestHost.NOTE, sender.maxClaim())).isNotNegative();
    sender.abort();
    assertThat(sender.whenRoom(sender.maxClaim())).as("at once").isCompleted();
  }

  @Test
  void nobodyIsLookedAfterOnceAllAreTold() {
    ExclusiveLane sender = filledSender();
    CompletableFuture<Void> room = sender.whenRoom(8);
    CompletableFuture<Void> unwanted = sender.whenRoom(8);
    assertThat(left.moveBacklog()).isEqualTo(2);
    unwanted.cancel(false);
    assertThat(left.moveBacklog()).isEqualTo(1);
    wire.deliver();
    assertThat(left.moveBacklog()).isZero();
    assertThat(room).isCompleted();
  }

  @Test
  void closingTheSenderFailsWhoWaitsForRoomInIt() {
    ExclusiveLane sender = filledSender();
    CompletableFuture<Void> room = sender.whenRoom(sender.maxClaim());
    sender.close(); // delivers
    left.moveBacklog();
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(room::join)
        .withCauseInstanceOf(PeerLostException.class);
  }

  /** The end of a session takes those who wait before the connection forgets the session. */
  @Test
  void whoAsksForRoomWhileTheSessionEndsHearsOfItsEnd() {
    Connection connection = wire.left();
    Session session = Objects.requireNonNull(connection.session());
    session.end(new PeerLostException("on purpose"));
    CompletableFuture<Void> room =
        connection.whenRoom(left.types().codecOf(Note.class), new Note(0));
    assertThat(room).isCompletedExceptionally();
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(room::join)
        .withMessageContaining("on purpose");
  }

  @Test
  void threadsThatReceiveAreWokenForRoomThatWillNeverBe() {
    Connection connection = filledConnection();
    var notes = left.types().codecOf(Note.class);
    CompletableFuture<Void> room = connection.whenRoom(notes, new Note(0));
    int wakes = left.wakes();
    connection.close(new NodeClosedException("on purpose"));
    assertThat(room).isCompletedExceptionally();
    assertThat(left.wakes()).isGreaterThan(wakes);
  }

  /** A lane of which an eighth is free has room for many small ones. */
  @Test
  void roomForALargeMessageIsRoomForAllOfIt() {
    Connection connection = wire.left();
    var notes = left.types().codecOf(Note.class);
    Blob large = new Blob(new byte[(int) left.config().laneBytes() / 3]);
    var blobs = left.types().codecOf(Blob.class);
    while (connection.whenRoom(blobs, large).isDone()) {
      connection.trySend(notes, new Note(0));
    }
    Blob smaller = new Blob(new byte[(int) left.config().laneBytes() / 8]);
    assertThat(connection.whenRoom(blobs, smaller)).isCompleted();
    assertThat(connection.trySend(blobs, large)).isEqualTo(SendResult.FULL);
  }

  /** Who is told of room, tries in vain and asks again would do so in a circle. */
  @Test
  void largeMessageHasNoRoomWhileAnotherOneIsOnItsWay() {
    Connection connection = wire.left();
    var notes = left.types().codecOf(Note.class);
    var blobs = left.types().codecOf(Blob.class);
    Blob large = new Blob(new byte[(int) left.config().laneBytes() / 3]);
    AtomicInteger inLane = new AtomicInteger();
    while (connection.trySend(notes, new Note(0)) == SendResult.ACCEPTED) {
      inLane.incrementAndGet();
    }
    List<CompletableFuture<Void>> rooms = new ArrayList<>();
    List<SendResult> tries = new ArrayList<>();
    List<Boolean> told = new ArrayList<>();
    right.handle(
        Note.class,
        (note, from) -> {
          if (inLane.decrementAndGet() == 0) { // nearly all of the lane is free
            tries.add(connection.trySend(blobs, large));
            rooms.add(connection.whenRoom(blobs, large));
            told.add(rooms.getFirst().isDone());
          }
        });

    right.handle(Blob.class, (blob, from) -> {});

    connection.send(blobs, large); // waits in the middle, and has the notes delivered

    assertThat(tries).containsExactly(SendResult.FULL);
    assertThat(told).containsExactly(false);
    wire.deliver();
    left.moveBacklog();
    assertThat(rooms.getFirst()).isCompleted();
  }

  @Test
  void connectionThatMayNotBeMadeGivesNoRoom() {
    Connection connection = filledConnection();
    var notes = left.types().codecOf(Note.class);
    left.close(); // and the connection has been told already
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(connection.whenRoom(notes, new Note(0))::join)
        .withCauseInstanceOf(NodeClosedException.class);
  }

  @Test
  void sharedLaneTellsOfRoomOnceHandlersMessagesHaveLeft() {
    Connection connection = filledConnection();
    var notes = left.types().codecOf(Note.class);
    wire.whileLeftReceives(() -> connection.send(notes, new Note(7)));
    CompletableFuture<Void> room = connection.whenRoom(notes, new Note(8));
    assertThat(room).isNotDone();

    wire.deliver();
    left.moveBacklog();

    assertThat(room).isCompleted();
    assertThat(connection.trySend(notes, new Note(8))).isEqualTo(SendResult.ACCEPTED);
    wire.deliver();
    assertThat(heard).endsWith(7L, 8L);
  }
}
