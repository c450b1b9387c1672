// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HandshakesTest {

  private final Handshakes handshakes = new Handshakes();
  private SocketChannel socket;

  @BeforeEach
  void open() throws Exception {
    socket = SocketChannel.open();
  }

  @AfterEach
  void close() throws Exception {
    socket.close();
  }

  @Test
  void closingClosesTheSocketsOfHandshakesThatAreUnderWay() {
    handshakes.begin(socket);
    handshakes.close();
    assertThat(socket.isOpen()).isFalse();
    assertThat(handshakes.end(socket)).isFalse();
  }

  @Test
  void closingLeavesASocketToTheLinkWhoseHandshakeIsOver() {
    handshakes.begin(socket);
    assertThat(handshakes.end(socket)).isTrue();
    handshakes.close();
    assertThat(socket.isOpen()).isTrue();
  }

  @Test
  void aHandshakeThatBeginsAfterwardsFindsItsSocketClosed() {
    handshakes.close();
    handshakes.begin(socket);
    assertThat(socket.isOpen()).isFalse();
    assertThat(handshakes.end(socket)).isFalse();
    assertThat(handshakes.count()).isZero();
  }
}
