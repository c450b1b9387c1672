// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.PeerLostException;
import io.verbena.internal.connection.TestHost.Note;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.Outlet;
import io.verbena.transport.RefusedException;
import io.verbena.transport.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer that somebody else knows to be gone. No time-out here is shorter than three minutes. */
@Tag("timing")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GivenUpPeerTest {

  private static final String WHY = "its host burns";

  private final TestHost host =
      new TestHost(1, config -> config.set("connect.timeout", "3m").set("link.timeout", "3m"));
  private final Hanging transport = new Hanging();
  private final Connection connection = new Connection(host, 2);
  private final Note note = new Note(1);

  GivenUpPeerTest() {
    host.transports = List.of(transport);
  }

  @AfterEach
  void close() {
    host.close();
    transport.go.countDown();
  }

  /** A dial hangs until the end of the test. */
  private static final class Hanging extends TestTransport {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch go = new CountDownLatch(1);

    @Override
    public void connect(int peer, String address, Duration timeout) throws IOException {
      entered.countDown();
      try {
        go.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new IOException("nobody listens");
    }
  }

  /** A link over which lanes begin while the peer is given up. */
  private record LateLink(TestLink link, Runnable meanwhile) implements Link {
    @Override
    public Transport transport() {
      return link.transport();
    }

    @Override
    public String describe() {
      return link.describe();
    }

    @Override
    public Outlet attach(int laneId, LaneMemory memory) {
      meanwhile.run();
      return link.attach(laneId, memory);
    }

    @Override
    public void close(String reason) {
      link.close(reason);
    }
  }

  private void giveUp() {
    host.givenUp = WHY;
    host.address = null;
    connection.close(new PeerLostException(WHY));
  }

  private LinkEvents link(Link link) throws RefusedException {
    return connection.established(TestLink.agreement(100, 0, 1), link, "by hand");
  }

  @Test
  void whoWaitsForAConnectionIsTold() throws InterruptedException {
    AtomicReference<Throwable> outcome = new AtomicReference<>();
    Thread sender =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    connection.send(host.codecOf(note), note);
                  } catch (PeerLostException e) {
                    outcome.set(e);
                  }
                });
    transport.entered.await();
    giveUp();
    sender.join();
    assertThat(outcome.get()).isExactlyInstanceOf(PeerLostException.class).hasMessage(WHY);
  }

  @Test
  void sendingFailsLaterForTheSameReason() {
    giveUp();
    assertThatExceptionOfType(PeerLostException.class)
        .isThrownBy(() -> connection.send(host.codecOf(note), note))
        .withMessage(WHY);
    assertThat(
            connection.request(host.codecOf(note), note, Note.class, Long.MAX_VALUE).exceptionNow())
        .isExactlyInstanceOf(PeerLostException.class)
        .hasMessage(WHY);
  }

  @Test
  void linkThatItMakesIsRefused() {
    giveUp();
    TestLink late = new TestLink(transport);
    assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> link(late)).withMessage(WHY);
    assertThat(late.lanes).isEmpty();
  }

  @Test
  void linkThatComesUpMeanwhileGoesDown() {
    TestLink late = new TestLink(transport);
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> link(new LateLink(late, this::giveUp)))
        .withMessage(WHY);
    assertThat(late.closed).isTrue();
    assertThat(connection.hasSession()).isFalse();
    assertThat(host.news).containsExactly("lost 2");
  }
}
