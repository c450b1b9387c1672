// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.PeerLostException;
import io.verbena.PeerRestartedException;
import io.verbena.SendResult;
import io.verbena.internal.connection.TestHost.Blob;
import io.verbena.internal.connection.TestHost.Note;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whoever waits for room learns that there will be none: the peer died, or another life of it came.
 */
@Tag("timing")
class WaitingSendersTest {

  private static final long PATIENCE_MS = 180_000;

  private enum Wait {
    FOR_ROOM_IN_THE_SHARED_LANE(test -> test.send(new Note(1))),
    FOR_ROOM_FOR_A_LARGE_MESSAGE(test -> test.send(new Blob(new byte[500_000]))),
    FOR_ROOM_IN_AN_EXCLUSIVE_LANE(test -> test.sender.send(new Note(1))),
    FOR_ROOM_FOR_A_LARGE_MESSAGE_IN_AN_EXCLUSIVE_LANE(
        test -> test.sender.send(new Blob(new byte[500_000]))),
    FOR_A_CLAIM(test -> test.sender.claim(TestHost.NOTE, 8)),
    FOR_A_REQUEST_TO_LEAVE(test -> test.request(new Note(1)));

    private final Consumer<WaitingSendersTest> begin;

    Wait(Consumer<WaitingSendersTest> begin) {
      this.begin = begin;
    }
  }

  private final TestHost left = new TestHost(1);
  private final TestHost right = new TestHost(2);
  private final HandWire wire = new HandWire(left, right);
  private final AtomicReference<Throwable> outcome = new AtomicReference<>();
  private ExclusiveLane sender;

  @BeforeEach
  void fillAllLanes() {
    wire.link();
    sender = wire.left().openSender();
    Note note = new Note(0);
    while (wire.left().trySend(left.codecOf(note), note) == SendResult.ACCEPTED) {
      // until it is full
    }
    while (sender.trySend(note) == SendResult.ACCEPTED) {
      // this one, too
    }
  }

  @AfterEach
  void close() {
    wire.close();
  }

  private void send(Record message) {
    wire.left().send(left.codecOf(message), message);
  }

  private void request(Record message) {
    throwOutcome(wire.left().request(left.codecOf(message), message, Note.class, Long.MAX_VALUE));
  }

  private static void throwOutcome(CompletableFuture<?> future) {
    if (future.exceptionNow() instanceof RuntimeException failure) {
      throw failure;
    }
  }

  private Thread startWaiting(Wait wait) throws InterruptedException {
    long waits = left.counter("backpressure.waits");
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    wait.begin.accept(this);
                    outcome.set(new AssertionError("there was room"));
                  } catch (RuntimeException e) {
                    outcome.set(e);
                  }
                });
    while (left.counter("backpressure.waits") == waits) {
      Thread.sleep(1);
    }
    return thread;
  }

  @ParameterizedTest
  @EnumSource
  void waitEndsWhenThePeerIsLost(Wait wait) throws InterruptedException {
    Thread thread = startWaiting(wait);
    wire.left().close(new PeerLostException("node 2 is gone"));
    thread.join(PATIENCE_MS);
    assertThat(outcome.get())
        .isExactlyInstanceOf(PeerLostException.class)
        .hasMessage("node 2 is gone");
  }

  @ParameterizedTest
  @EnumSource
  void waitEndsWhenThePeerWasRestarted(Wait wait) throws InterruptedException {
    Thread thread = startWaiting(wait);
    wire.restartRight(new TestHost(2));
    wire.link(1, 2);
    thread.join(PATIENCE_MS);
    assertThat(outcome.get()).isExactlyInstanceOf(PeerRestartedException.class);
  }
}
