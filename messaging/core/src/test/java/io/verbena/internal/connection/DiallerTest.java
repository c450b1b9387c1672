// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.NodeListener;
import io.verbena.PeerRefusedException;
import io.verbena.PeerUnreachableException;
import io.verbena.SendResult;
import io.verbena.internal.connection.TestHost.Note;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.RefusedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Senders get the time that {@code connect.timeout} says, all of it and no more. */
@Tag("timing")
class DiallerTest {

  private static final Duration TIMEOUT = Duration.ofMillis(400);

  private static final Duration LONG = Duration.ofMinutes(3);

  /** What a dial is given at least. */
  private static final Duration LEAST = Duration.ofMillis(50);

  private final TestHost host =
      new TestHost(1, config -> config.set("connect.timeout", TIMEOUT.toMillis() + "ms"));
  private final Connection connection = new Connection(host, 2);

  @AfterEach
  void close() {
    host.close();
  }

  /** Nobody answers there. */
  private static final class Silent extends TestTransport {
    final List<Duration> given = new CopyOnWriteArrayList<>();

    @Override
    public void connect(int peer, String address, Duration timeout) throws IOException {
      given.add(timeout);
      long until = System.nanoTime() + timeout.toNanos();
      while (System.nanoTime() - until < 0) {
        LockSupport.parkNanos(until - System.nanoTime());
      }
      throw new IOException("no answer");
    }
  }

  /** Nobody listens there. */
  private static final class Closed extends TestTransport {
    final AtomicInteger tries = new AtomicInteger();

    @Override
    public void connect(int peer, String address, Duration timeout) throws IOException {
      tries.incrementAndGet();
      throw new IOException("nobody listens");
    }
  }

  private Duration failedSend() {
    long start = System.nanoTime();
    Note note = new Note(1);
    assertThatExceptionOfType(PeerUnreachableException.class)
        .isThrownBy(() -> connection.send(host.codecOf(note), note));
    return Duration.ofNanos(System.nanoTime() - start);
  }

  @Test
  void silentTransportsShareTheTime() {
    Silent first = new Silent();
    Silent second = new Silent();
    host.transports = List.of(first, second);
    assertThat(failedSend()).isGreaterThanOrEqualTo(TIMEOUT.multipliedBy(9).dividedBy(10));
    assertThat(first.given.getFirst()).isLessThanOrEqualTo(TIMEOUT.dividedBy(2));
    assertThat(first.given.getFirst().plus(second.given.getFirst()))
        .isLessThanOrEqualTo(TIMEOUT.plus(LEAST)); // who comes last gets what is left, or that
  }

  /** Refuses once it is let go, for good: a dial tries it once. */
  private static final class Refusing extends TestTransport {
    final AtomicInteger dials = new AtomicInteger();
    final Semaphore entered = new Semaphore(0);
    final Semaphore go = new Semaphore(0);

    @Override
    public void connect(int peer, String address, Duration timeout) throws IOException {
      dials.getAndIncrement();
      entered.release();
      go.acquireUninterruptibly();
      throw new RefusedException(RefusedException.Reason.KEY, "on purpose");
    }
  }

  /** Else the next sender would share a dial whose time is half over. */
  @Test
  void senderThatWaitsForADialBeginsNoOtherWhenThatOneFails() throws InterruptedException {
    Refusing transport = new Refusing();
    host.transports = List.of(transport);
    for (int i = 1; i <= 10; i++) {
      Thread sender = Thread.ofPlatform().start(this::refusedSend);
      transport.entered.acquire();
      synchronized (connection) { // the dial ends, and the sender looks again, before it is told
        transport.go.release();
        Thread.sleep(150);
      }
      sender.join();
      assertThat(transport.dials).hasValue(i);
    }
  }

  private void refusedSend() {
    Note note = new Note(1);
    try {
      connection.send(host.codecOf(note), note);
    } catch (PeerRefusedException e) {
      // as it should be
    }
  }

  @Test
  void senderThatJoinsADialGetsAllOfTheTime() throws InterruptedException {
    host.transports = List.of(new Closed());
    Note note = new Note(1);
    assertThat(connection.trySend(host.codecOf(note), note)).isEqualTo(SendResult.CONNECTING);
    Thread.sleep(TIMEOUT.toMillis() * 3 / 4);
    assertThat(failedSend()).isGreaterThan(TIMEOUT.multipliedBy(9).dividedBy(10));
  }

  @Test
  void requestThatJoinsADialGetsAllOfTheTime() throws InterruptedException {
    host.transports = List.of(new Closed());
    Note note = new Note(1);
    assertThat(connection.trySend(host.codecOf(note), note)).isEqualTo(SendResult.CONNECTING);
    Thread.sleep(TIMEOUT.toMillis() * 3 / 4);
    long start = System.nanoTime();
    PendingRequest<Note> request =
        connection.request(host.codecOf(note), note, Note.class, LONG.toNanos());
    assertThat(request)
        .failsWithin(LONG)
        .withThrowableThat()
        .withCauseInstanceOf(PeerUnreachableException.class);
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThan(TIMEOUT.multipliedBy(9).dividedBy(10));
  }

  @Test
  void senderGetsNoMoreThanItsTimeThoughOthersJoinTheDial() throws InterruptedException {
    host.transports = List.of(new Closed());
    Thread first = Thread.ofPlatform().start(this::failedSend);
    List<Thread> others = new ArrayList<>();
    long untilNs = System.nanoTime() + LONG.toNanos();
    while (first.isAlive() || host.news.isEmpty()) {
      assertThat(System.nanoTime() - untilNs).as("time over").isNegative();
      others.add(Thread.ofVirtual().start(this::failedSend));
      Thread.sleep(TIMEOUT.toMillis() / 4);
      connection.tick(System.nanoTime());
    }
    assertThat(host.news.getFirst()).startsWith("unreachable 2: ");
    for (Thread other : others) {
      other.join();
    }
  }

  @Test
  void nextSendGetsAllOfTheTimeAgain() throws InterruptedException {
    host.transports = List.of(new Closed());
    failedSend();
    Thread.sleep(TIMEOUT.toMillis() * 3 / 4);
    assertThat(failedSend()).isGreaterThan(TIMEOUT.multipliedBy(9).dividedBy(10));
  }

  @Test
  void whoOnlyTriesToSendIsToldThatThePeerCannotBeReached() throws InterruptedException {
    host.transports = List.of(new Closed());
    Note note = new Note(1);
    assertThat(connection.trySend(host.codecOf(note), note)).isEqualTo(SendResult.CONNECTING);
    long untilNs = System.nanoTime() + LONG.toNanos();
    while (host.news.isEmpty() && System.nanoTime() - untilNs < 0) {
      Thread.sleep(5);
    }
    assertThat(host.news).hasSize(1);
    assertThat(host.news.getFirst()).startsWith("unreachable 2: ").contains("nobody listens");
    assertThat(host.counter("dials.failed")).isEqualTo(1);
  }

  /** A dial must not wait for listeners that wait for it. */
  @Test
  void dialGoesOnWhileAListenerHearsOfWhatWasQueued() throws InterruptedException {
    Closed transport = new Closed();
    host.transports = List.of(transport);
    Note note = new Note(1);
    AtomicBoolean wentOn = new AtomicBoolean();
    host.listener =
        new NodeListener() {
          @Override
          public void undeliverable(
              int nodeId, int typeId, MemorySegment segment, long offset, int length) {
            int before = transport.tries.get();
            while (transport.tries.get() < before + 2) {
              connection.trySend(host.codecOf(note), note);
              Thread.yield();
            }
            wentOn.set(true);
          }
        };
    Thread clock =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  ProgressLoop.neverWait();
                  connection.send(host.codecOf(note), note);
                  while (!wentOn.get()) {
                    LockSupport.parkNanos(10_000_000);
                    connection.tick(System.nanoTime());
                  }
                });
    assertThat(clock.join(LONG)).as("the dial went on").isTrue();
  }

  /** Hangs until the test ends, as a name service may. */
  private static final class Hanging extends TestTransport {
    final Semaphore entered = new Semaphore(0);
    final Semaphore go = new Semaphore(0);

    @Override
    public void connect(int peer, String address, Duration timeout) throws IOException {
      entered.release();
      go.acquireUninterruptibly();
      throw new IOException("too late");
    }
  }

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void senderWaitsForNoDialThatHangs() {
    Hanging transport = new Hanging();
    host.transports = List.of(transport);
    try {
      failedSend();
    } finally {
      transport.go.release(1000);
    }
  }

  @Test
  void whoWaitsForADialThatHangsIsToldNothingOfTheOneBefore() {
    host.transports = List.of(new Closed());
    failedSend();
    Hanging transport = new Hanging();
    host.transports = List.of(transport);
    Note note = new Note(1);
    try {
      assertThatExceptionOfType(PeerUnreachableException.class)
          .isThrownBy(() -> connection.send(host.codecOf(note), note))
          .withMessageNotContaining("nobody listens");
    } finally {
      transport.go.release(1000);
    }
  }

  /** The peer's own dial is not to wait for it. */
  @Test
  void aDialThatNobodyAnswersGoesBeforeNoOther() {
    Hanging transport = new Hanging();
    host.transports = List.of(transport);
    Note note = new Note(1);
    connection.trySend(host.codecOf(note), note);
    try {
      transport.entered.acquireUninterruptibly();
      assertThat(connection.isDialling()).isFalse();
      long beforeNs = System.nanoTime();
      connection.dialAnswered();
      assertThat(connection.goesFirst(beforeNs)).isTrue();
      transport.go.release(); // the next try begins
      transport.entered.acquireUninterruptibly();
      assertThat(connection.goesFirst(beforeNs)).isFalse();
    } finally {
      transport.go.release(1000);
    }
  }

  /** Somebody on the way may swallow what comes after the answer. */
  @Test
  void aDialThatHangsAfterItsAnswerSoonGoesBeforeNoOther() {
    Hanging transport = new Hanging();
    host.transports = List.of(transport);
    Note note = new Note(1);
    connection.trySend(host.codecOf(note), note);
    try {
      transport.entered.acquireUninterruptibly();
      connection.dialAnswered();
      assertThat(connection.goesFirst(System.nanoTime() + Dialler.GOES_FIRST_NS)).isFalse();
    } finally {
      transport.go.release(1000);
    }
  }
}
