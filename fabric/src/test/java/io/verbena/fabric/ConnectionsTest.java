// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static io.verbena.fabric.ChannelOutcome.DONE;
import static io.verbena.fabric.ChannelOutcome.ENDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.verbena.testkit.Threads.Crew;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections by an address, between nodes that do not know each other. */
@Tag("timing")
@Timeout(600)
class ConnectionsTest {

  private static final int RING = 1 << 16;

  private final Fabric server = Two.builder(1).open();
  private final Fabric client = Two.builder(2).open();
  private final Connections listening = server.openConnections(RING);
  private final Connections connecting = client.openConnections(RING);

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @Test
  void eachSideReadsWhatTheOtherWrites() {
    listening.listen(2);
    assertThat(listening.accept()).isEmpty();
    assertThat(listening.accept(Duration.ofMillis(1))).isEmpty();
    Crew crew = new Crew();
    crew.start(
        () -> {
          try (Connection accepted = listening.accept(Two.LONG).orElseThrow()) {
            echo(accepted);
          }
          return null;
        });
    try (Connection made = connecting.connect(server.address(), Two.LONG)) {
      assertThat(made.reader().peer()).isEqualTo(1);
      byte[] into = new byte[100];
      for (int i = 0; i < 100; i++) {
        byte[] sent = ("message " + i).getBytes(StandardCharsets.UTF_8);
        assertThat(made.writer().push(sent, Two.LONG)).isEqualTo(DONE);
        assertThat(made.reader().pop(into, Two.LONG)).isEqualTo(DONE);
        assertThat(new String(into, 0, (int) made.reader().length(), StandardCharsets.UTF_8))
            .isEqualTo("message " + i);
      }
      assertThat(made.writer().end(Two.LONG)).isEqualTo(DONE);
      assertThat(made.reader().peek(Two.LONG)).isEqualTo(ENDED);
      crew.join();
    }
  }

  private static void echo(Connection with) {
    while (with.reader().peek(Two.LONG) == DONE) {
      assertThat(with.writer().push(with.reader().message(), Two.LONG)).isEqualTo(DONE);
      with.reader().release();
    }
    assertThat(with.writer().end(Two.LONG)).isEqualTo(DONE);
  }

  /** Longer than the time for which C is asked at once. */
  @Test
  void whoConnectsWaitsForWhoListensLater() throws Exception {
    CountDownLatch about = new CountDownLatch(1);
    Crew crew = new Crew();
    crew.start(
        () -> {
          about.countDown();
          connecting.connect(server.address(), Two.LONG).close();
          return null;
        });
    about.await();
    assertThat(listening.accept(Duration.ofMillis(2500))).isEmpty();
    listening.listen(1);
    assertThat(listening.accept(Two.LONG)).isPresent();
    crew.join();
  }

  @Test
  void whatCannotBeIsRefusedWithASentence() {
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> connecting.connect(server.address(), Duration.ofSeconds(5)))
        .withMessageContaining("takes no connections (now)");
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> connecting.connect("no address", Two.LONG));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> connecting.connect(client.address(), Two.LONG))
        .withMessageContaining("this node itself");
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> client.openConnections(RING))
        .withMessageContaining("have connections already");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.openConnections(RING - 1))
        .withMessageContaining("65535 bytes: its size is a power of two");
    assertThatIllegalArgumentException().isThrownBy(() -> listening.listen(0));
    connecting.close();
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> connecting.listen(1));
    client.openConnections(RING).close();
  }

  @Test
  void oneThreadAtATimeAccepts() {
    Crew crew = new Crew();
    crew.start(
        () -> {
          assertThatExceptionOfType(ClosedException.class)
              .isThrownBy(() -> Two.whenFree(() -> listening.accept(Two.LONG)));
          return null;
        });
    assertThat(Two.refusal(listening::accept))
        .hasMessageContaining("accept() is in use by another thread");
    listening.close();
    crew.join();
  }

  /** Nobody listens: it would go on for minutes. */
  @Test
  void closingEndsWhatConnectsAndWhatOpens() throws Exception {
    CountDownLatch about = new CountDownLatch(2);
    client.addPeer(1, server.address());
    Crew crew = new Crew();
    crew.start(
        () -> {
          about.countDown();
          assertThatExceptionOfType(ClosedException.class)
              .isThrownBy(() -> connecting.connect(server.address(), Two.LONG));
          return null;
        });
    crew.start(
        () -> {
          about.countDown();
          assertThatExceptionOfType(ClosedException.class)
              .isThrownBy(() -> client.openWriter(1, 5, Two.LONG));
          return null;
        });
    about.await();
    client.close();
    crew.join();
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> client.openReader(5, RING));
  }

  @Test
  void connectionsGoOnWhenNobodyListensAnyMore() {
    listening.listen(1);
    try (Connection made = connecting.connect(server.address(), Two.LONG);
        Connection accepted = listening.accept(Two.LONG).orElseThrow()) {
      listening.close();
      connecting.close();
      assertThat(made.writer().push(new byte[8], Two.LONG)).isEqualTo(DONE);
      assertThat(accepted.reader().pop(new byte[8], Two.LONG)).isEqualTo(DONE);
    }
  }
}
