// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.cli.demo.DemoMessages.Arrived;
import io.verbena.cli.demo.DemoMessages.Sample;
import io.verbena.cli.demo.DemoMessages.SocketPlace;
import io.verbena.cli.demo.DemoMessages.SocketQuery;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpeedTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration EACH = Duration.ofMillis(20);

  private final Node far = Node.build(config(1));
  private final Node near;

  SpeedTest() {
    SpeedPeer.install(far, InetAddress.getLoopbackAddress().getHostAddress());
    far.start();
    near = Node.open(config(0));
    near.addPeer(1, far.address());
  }

  private static NodeConfig config(int id) {
    return DemoCluster.config("loopback", "auto").id(id).cluster("speed-test").build();
  }

  @AfterEach
  void close() {
    near.close();
    far.close();
  }

  @Test
  void bothWiresCarryAllInOrder() throws Exception {
    assertFast(Speed.of(new NodeWire(near, 1, PATIENCE), EACH));
    try (SocketWire socket = new SocketWire(place())) {
      assertFast(Speed.of(socket, EACH));
    }
  }

  private static void assertFast(Speed speed) {
    assertThat(speed.roundTripNs()).isPositive();
    assertThat(speed.messagesPerSecond()).isPositive();
  }

  private SocketPlace place() throws InterruptedException {
    return near.request(1, new SocketQuery(), SocketPlace.class, PATIENCE);
  }

  @Test
  void samplesOutOfOrderAreNoticed() throws Exception {
    try (SocketWire socket = new SocketWire(place())) {
      socket.send(new Sample(new byte[Speed.SAMPLE_BYTES]));
      socket.send(new Sample(new byte[Speed.SAMPLE_BYTES])); // the same number again
      assertThat(socket.arrived()).isEqualTo(new Arrived(2, false));
    }
  }

  @Test
  void whoDoesNotKnowThePasswordIsNotServed() throws Exception {
    SocketPlace place = place();
    try (Socket stranger = new Socket(place.host(), place.port())) {
      OutputStream out = stranger.getOutputStream();
      out.write(new byte[place.password().length]);
      assertThat(stranger.getInputStream().read()).isEqualTo(-1);
    }
    try (Socket stranger = new Socket(place.host(), place.port())) {
      stranger.setSoLinger(true, 0); // its end is a reset
    }
    try (SocketWire socket = new SocketWire(place)) {
      assertThat(socket.arrived()).isEqualTo(new Arrived(0, true));
    }
  }

  @Test
  void objectsOfOtherClassesAreRefused() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      Socket dialled = new Socket(listener.getInetAddress(), listener.getLocalPort());
      CompletableFuture<ObjectSocket> near = CompletableFuture.supplyAsync(() -> over(dialled));
      try (ObjectSocket far = over(listener.accept());
          ObjectSocket other = near.get()) {
        far.write(new ArrayList<>());
        far.flush();
        assertThatExceptionOfType(InvalidClassException.class).isThrownBy(other::read);
      }
    }
  }

  private static ObjectSocket over(Socket socket) {
    try {
      return new ObjectSocket(socket);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
