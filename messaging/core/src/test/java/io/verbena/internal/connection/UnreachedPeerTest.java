// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.NodeClosedException;
import io.verbena.PeerLostException;
import io.verbena.PeerRefusedException;
import io.verbena.PeerUnreachableException;
import io.verbena.SendResult;
import io.verbena.internal.connection.TestHost.Busy;
import io.verbena.internal.connection.TestHost.Note;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a node hears of a peer that cannot be reached. The clock's time is what the test says. */
@Tag("timing")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnreachedPeerTest {

  private static final long TIMEOUT_NS = Duration.ofMinutes(3).toNanos();
  private static final long LIFE = 100;

  private final TestHost host =
      new TestHost(1, config -> config.set("connect.timeout", "3m").set("link.timeout", "3m"));
  private final Tries transport = new Tries();
  private final Connection connection = new Connection(host, 2);
  private final Note note = new Note(1);

  UnreachedPeerTest() {
    host.transports = List.of(transport);
  }

  @AfterEach
  void close() {
    host.close();
    transport.go.release(1000);
  }

  /** Each try hangs until the test lets it fail. */
  private static final class Tries extends TestTransport {
    final Semaphore entered = new Semaphore(0);
    final Semaphore go = new Semaphore(0);
    volatile boolean refuses;
    volatile String why = "nobody listens";
    volatile Thread dial = Thread.currentThread();

    @Override
    public void connect(int peer, String address, Duration timeout) throws IOException {
      dial = Thread.currentThread();
      entered.release();
      go.acquireUninterruptibly();
      if (refuses) {
        throw new RefusedException(RefusedException.Reason.KEY, why);
      }
      throw new IOException(why);
    }
  }

  private void trySend() {
    assertThat(connection.trySend(host.codecOf(note), note)).isEqualTo(SendResult.CONNECTING);
  }

  /** Begins a dial that the peer refuses, and waits until it is over. */
  private void refusedDial(String why) throws InterruptedException {
    trySend();
    transport.entered.acquire();
    refuse(why);
  }

  /** Has the peer refuse the try under way, and waits until the dial is over. */
  private void refuse(String why) throws InterruptedException {
    transport.refuses = true;
    transport.why = why;
    transport.go.release();
    transport.dial.join();
  }

  /** Does something as handlers and the clock do: on a thread that never waits. */
  private static void withoutWaiting(Runnable what) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  ProgressLoop.neverWait();
                  try {
                    what.run();
                  } catch (RuntimeException | Error e) {
                    failure.set(e);
                  }
                });
    thread.join();
    assertThat(failure.get()).isNull();
  }

  private void tick(long nowNs) throws InterruptedException {
    withoutWaiting(() -> connection.tick(nowNs));
  }

  /** The node closes before its connections do: the dial fails in between. */
  @Test
  void dialThatFailsAsTheNodeClosesIsNoReason() throws InterruptedException {
    CompletableFuture<Void> room = connection.whenRoom(host.codecOf(note), note);
    transport.entered.acquire();
    host.close();
    transport.go.release();
    transport.dial.join();
    assertThat(room)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(NodeClosedException.class);
  }

  @Test
  void isToldAgainAndAgainWhileADialGoesOn() throws InterruptedException {
    trySend();
    transport.entered.acquire();
    transport.go.release();
    transport.entered.acquire(); // the first try has failed
    long nowNs = System.nanoTime();
    tick(nowNs);
    assertThat(host.news).isEmpty();
    tick(nowNs + TIMEOUT_NS);
    tick(nowNs + TIMEOUT_NS + TIMEOUT_NS / 2);
    assertThat(host.news).hasSize(1);
    assertThat(host.news.getFirst()).startsWith("unreachable 2: ").endsWith(": nobody listens");
    tick(nowNs + 2 * TIMEOUT_NS);
    assertThat(host.news).hasSize(2);
    assertThat(host.counter("dials.failed")).isEqualTo(2);
  }

  @Test
  void endOfADialIsNoNewsWhereItWasToldOf() throws InterruptedException {
    trySend();
    transport.entered.acquire();
    tick(System.nanoTime() + TIMEOUT_NS);
    refuse("too late");
    tick(System.nanoTime() + 2 * TIMEOUT_NS);
    assertThat(host.news).hasSize(1);
  }

  @Test
  void whatHandlersHaveQueuedIsReportedThoughADialHangs() throws InterruptedException {
    AtomicReference<PendingRequest<Note>> request = new AtomicReference<>();
    withoutWaiting(
        () -> {
          connection.send(host.codecOf(note), note);
          request.set(connection.request(host.codecOf(note), note, Note.class, 10 * TIMEOUT_NS));
        });
    transport.entered.acquire();
    tick(System.nanoTime());
    assertThat(host.news).isEmpty();
    tick(System.nanoTime() + TIMEOUT_NS);
    assertThat(host.news)
        .startsWith("undeliverable note 1", "undeliverable note 1")
        .hasSize(3)
        .last()
        .asString()
        .startsWith("unreachable 2: ");
    assertThat(request.get().exceptionNow()).isInstanceOf(PeerUnreachableException.class);
  }

  @Test
  void whatHandlersHaveQueuedIsReportedThoughMoreFollows() throws InterruptedException {
    withoutWaiting(
        () -> {
          connection.send(host.codecOf(note), note);
          long dueNs = System.nanoTime() + TIMEOUT_NS;
          connection.send(host.codecOf(note), note);
          connection.tick(dueNs);
        });
    assertThat(host.counter("messages.undeliverable")).isEqualTo(2);
  }

  @Test
  void whatIsQueuedAsOthersAreReportedHasAllOfItsTime() throws InterruptedException {
    withoutWaiting(
        () -> {
          connection.send(host.codecOf(note), note);
          long dueNs = System.nanoTime() + TIMEOUT_NS;
          Busy.ERRAND.set(() -> connection.tick(dueNs)); // it has seen that others wait
          Busy late = new Busy(2);
          connection.send(host.codecOf(late), late);
          assertThat(host.counter("messages.undeliverable")).isEqualTo(1);
          connection.tick(dueNs);
        });
    assertThat(host.counter("messages.undeliverable")).isEqualTo(1);
    assertThat(connection.backlogBytes()).isPositive();
  }

  @Test
  void dialGoesOnForWhatWasQueuedAsOthersWereReported() throws InterruptedException {
    withoutWaiting(
        () -> {
          connection.send(host.codecOf(note), note);
          long sinceNs = System.nanoTime();
          Busy.ERRAND.set(() -> connection.tick(System.nanoTime() + TIMEOUT_NS));
          Busy late = new Busy(2);
          connection.send(host.codecOf(late), late);
          long endNs = System.nanoTime();
          assertThat(connection.prolonged(sinceNs, endNs)).isGreaterThan(endNs);
        });
  }

  private LinkEvents link() throws RefusedException {
    return connection.established(
        TestLink.agreement(LIFE, 0, 7), new TestLink(transport), "by the test");
  }

  @Test
  void nothingIsToldButTheLossOfASessionThatDidNotComeBack() throws Exception {
    link().down("cut");
    transport.entered.acquire();
    tick(System.nanoTime() + TIMEOUT_NS);
    refuse("the last try");
    tick(System.nanoTime() + 3 * TIMEOUT_NS);
    assertThat(host.news).containsExactly("lost 2");
    assertThat(host.counter("dials.failed")).isZero();
  }

  @Test
  void whoTriesToSendAfterTheLossIsTold() throws Exception {
    link().down("cut");
    transport.entered.acquire();
    tick(System.nanoTime() + TIMEOUT_NS);
    trySend();
    refuse("the last try");
    assertThat(host.news).hasSize(2);
    assertThat(host.news.getLast()).startsWith("unreachable 2: ").endsWith("the last try");
  }

  @Test
  void nothingIsToldOfAPeerThatWasRemoved() throws InterruptedException {
    trySend();
    transport.entered.acquire();
    host.address = null;
    tick(System.nanoTime() + TIMEOUT_NS);
    refuse("who are you?");
    assertThat(host.news).isEmpty();
    assertThat(host.counter("dials.failed")).isZero();
  }

  @Test
  void ofManyRefusalsTheFirstIsToldAtOnceAndTheLastInTime() throws InterruptedException {
    for (int i = 1; i <= 5; i++) {
      refusedDial("refusal " + i);
    }
    assertThat(host.news).hasSize(1);
    assertThat(host.news.getFirst()).endsWith("refusal 1");
    long nowNs = System.nanoTime() + TIMEOUT_NS;
    tick(nowNs);
    tick(nowNs + 2 * TIMEOUT_NS);
    assertThat(host.news).hasSize(2);
    assertThat(host.news.getLast()).endsWith("refusal 5");
    assertThat(host.counter("dials.failed")).isEqualTo(2);
  }

  @Test
  void aRefusalIsToldAtOnceAfterASession() throws Exception {
    refusedDial("before");
    LinkEvents events = link();
    connection.close(new PeerLostException("by the test"));
    events.down("by the test");
    refusedDial("after");
    assertThat(host.news).hasSize(3);
    assertThat(host.news.getLast()).endsWith("after");
  }

  @Test
  void sendersAreToldOfEveryRefusal() throws InterruptedException {
    for (int i = 1; i <= 3; i++) {
      AtomicReference<Throwable> outcome = new AtomicReference<>();
      Thread sender = Thread.ofPlatform().start(() -> outcome.set(failedSend()));
      transport.entered.acquire();
      refuse("refusal " + i);
      sender.join();
      assertThat(outcome.get())
          .isInstanceOf(PeerRefusedException.class)
          .hasMessageEndingWith("" + i);
    }
  }

  private Throwable failedSend() {
    try {
      connection.send(host.codecOf(note), note);
      return new AssertionError("it was sent");
    } catch (RuntimeException e) {
      return e;
    }
  }

  @Test
  void aDialThatHangsIsNotExplainedByTheOneBefore() throws InterruptedException {
    refusedDial("the former reason");
    trySend();
    transport.entered.acquire();
    tick(System.nanoTime() + TIMEOUT_NS);
    assertThat(host.news).hasSize(2);
    assertThat(host.news.getLast()).startsWith("unreachable 2: ").doesNotContain("former");
  }
}
