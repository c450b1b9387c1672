// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.Execution;
import io.verbena.MessageHandler;
import io.verbena.RemoteHandlerException;
import io.verbena.SendResult;
import io.verbena.internal.connection.HandWire;
import io.verbena.internal.connection.Handling;
import io.verbena.internal.connection.PendingRequest;
import io.verbena.internal.connection.TestHost;
import io.verbena.internal.connection.TestHost.Blob;
import io.verbena.internal.connection.TestHost.Note;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A handler that is slow lets a peer leave so many bytes here, and no more. */
@Tag("timing")
@Timeout(600)
class QueuedBytesTest {

  private static final int BLOB_BYTES = 10_000;

  /** Each costs its bytes and a little more; the one with which 64 KiB are reached is the last. */
  private static final int FIT = 7;

  private final TestHost sending = new TestHost(3);
  private final TestHost handling =
      new TestHost(4, builder -> builder.set("pool.queue.bytes", "64K"));
  private final HandWire wire = new HandWire(sending, handling).link();
  private final Handlers handlers =
      new Handlers(4, handling.types(), handling.sinks(), (peer, typeId) -> {}, () -> {});
  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicInteger handled = new AtomicInteger();

  @BeforeEach
  void handleSlowly() {
    MessageHandler<Blob> slow =
        (blob, from) -> {
          go.await();
          if (from.isRequest()) {
            from.reply(new Note(blob.bytes().length));
          }
          handled.incrementAndGet();
        };
    handlers.register(sending.codecOf(new Blob(new byte[0])), Execution.pool(1), slow);
  }

  @AfterEach
  void close() {
    go.countDown();
    handlers.close();
    wire.close();
  }

  private boolean trySend(int bytes) {
    Blob blob = new Blob(new byte[bytes]);
    boolean sent = wire.left().trySend(sending.codecOf(blob), blob) == SendResult.ACCEPTED;
    wire.deliver();
    return sent;
  }

  private void deliverUntilHandled(int count) {
    go.countDown();
    while (handled.get() < count) {
      wire.deliver();
      Thread.onSpinWait();
    }
  }

  @Test
  void messagesBeyondTheBytesThatMayWaitStayInTheirLane() {
    int sent = 0;
    while (trySend(BLOB_BYTES)) {
      sent++;
    }
    assertThat(sent).as("what waits, and what is in the lane").isGreaterThan(FIT);
    assertThat(handlers.queuedSoFar()).isEqualTo(FIT);
    deliverUntilHandled(sent);
    assertThat(handled).hasValue(sent);
  }

  @Test
  void oneMessageMayWaitHoweverLarge() {
    wire.deliverToWaiters();
    Blob large = new Blob(new byte[300_000]);
    wire.left().send(sending.codecOf(large), large);
    wire.deliver();
    assertThat(handlers.queuedSoFar()).isEqualTo(1);
    assertThat(trySend(1)).isTrue();
    assertThat(handlers.queuedSoFar()).isEqualTo(1);
    deliverUntilHandled(2);
  }

  @Test
  void requestsOfHandlersBeyondTheBytesThatMayWaitAreRefused() {
    List<PendingRequest<Note>> requests = new ArrayList<>();
    Blob blob = new Blob(new byte[BLOB_BYTES]);
    for (int i = 0; i <= FIT; i++) {
      Handling.run(
          () ->
              requests.add(
                  wire.left().request(sending.codecOf(blob), blob, Note.class, Long.MAX_VALUE)));
      wire.deliver();
    }
    assertThat(handlers.queuedSoFar()).isEqualTo(FIT);
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(requests.getLast()::join)
        .withCauseInstanceOf(RemoteHandlerException.class)
        .withMessageContaining("pool.queue.bytes 65536");
    deliverUntilHandled(FIT);
    wire.deliver();
    assertThat(requests.subList(0, FIT))
        .allSatisfy(request -> assertThat(request.join().number()).isEqualTo(BLOB_BYTES));
  }
}
