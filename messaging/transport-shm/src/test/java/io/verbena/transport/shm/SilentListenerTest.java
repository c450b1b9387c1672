// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.testkit.SharedMemoryDirectory;
import io.verbena.testkit.StillContext;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A peer that listens and never answers, as if it were stopped: a dial lasts as long as it may. */
@Tag("timing")
class SilentListenerTest {

  private static final Duration ALLOWED = Duration.ofMillis(200);

  /** Far from both what is allowed and the time that a handshake may take otherwise. */
  private static final Duration TOO_LONG = Duration.ofSeconds(40);

  private final List<SocketChannel> waiting = new ArrayList<>();
  private SharedMemoryDirectory directory;
  private ShmTransport dialling;
  private ServerSocketChannel silent;

  @BeforeEach
  void listen() throws IOException {
    String why = new ShmTransportProvider().unusableBecause();
    assumeTrue(why.isEmpty(), why);
    directory = SharedMemoryDirectory.create();
    dialling =
        ShmTransport.open(
            new StillContext(1)
                .set("shm.directory", directory.path().toString())
                .set("shm.handshake.timeout", "1m"));
    silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    silent.bind(address(), 1);
  }

  @AfterEach
  void close() throws IOException {
    if (directory != null) {
      for (SocketChannel channel : waiting) {
        channel.close();
      }
      silent.close();
      dialling.close();
      directory.close();
    }
  }

  private UnixDomainSocketAddress address() {
    return UnixDomainSocketAddress.of(dialling.rendezvous().socketOf("2"));
  }

  private void dialFails(String why) {
    assertTimeoutPreemptively(
        TOO_LONG,
        () ->
            assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> dialling.connect(2, "", ALLOWED))
                .withMessageContaining(why));
  }

  @Test
  void handshakeThatIsNotAnsweredEndsInTime() {
    dialFails("did not finish the handshake within");
  }

  @Test
  void queueOfCallersThatIsFullEndsTheDial() throws IOException {
    fillQueue();
    dialFails("does not accept");
  }

  private void fillQueue() throws IOException {
    while (true) {
      SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      waiting.add(channel);
      channel.configureBlocking(false); // else it would wait itself
      try {
        channel.connect(address());
      } catch (SocketException e) {
        return;
      }
    }
  }
}
