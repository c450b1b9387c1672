// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.PeerUnreachableException;
import io.verbena.internal.connection.TestHost.Note;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Senders get the time that {@code connect.timeout} says, all of it and no more. */
class DiallerTest {

  private static final Duration TIMEOUT = Duration.ofMillis(400);

  private final TestHost host =
      new TestHost(1, config -> config.set("connect.timeout", TIMEOUT.toMillis() + "ms"));
  private final Connection connection = new Connection(host, 2);

  @AfterEach
  void close() {
    host.close();
  }

  /** Nobody answers there. */
  private static final class Silent extends TestTransport {
    @Override
    public void connect(int peer, String address, Duration timeout) throws IOException {
      long until = System.nanoTime() + timeout.toNanos();
      while (System.nanoTime() - until < 0) {
        LockSupport.parkNanos(until - System.nanoTime());
      }
      throw new IOException("no answer");
    }
  }

  /** Nobody listens there. */
  private static final class Closed extends TestTransport {
    @Override
    public void connect(int peer, String address, Duration timeout) throws IOException {
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
    host.transports = List.of(new Silent(), new Silent());
    assertThat(failedSend())
        .isBetween(TIMEOUT.multipliedBy(9).dividedBy(10), TIMEOUT.multipliedBy(3).dividedBy(2));
  }

  @Test
  void nextSendGetsAllOfTheTimeAgain() throws InterruptedException {
    host.transports = List.of(new Closed());
    failedSend();
    Thread.sleep(TIMEOUT.toMillis() * 3 / 4);
    assertThat(failedSend()).isGreaterThan(TIMEOUT.multipliedBy(9).dividedBy(10));
  }
}
