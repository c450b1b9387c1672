// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.testkit.Await;
import io.verbena.testkit.Ports;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of requests when a rank ends. */
@Tag("timing")
class LostRankTest {

  private static final int LARGE = 1 << 20;

  /** Rank 1, in a process of its own: receives one message, sends one, and stays. */
  static final class Other {
    private Other() {}

    public static void main(String[] arguments) throws Exception {
      List<String> addresses = List.of(arguments[2], arguments[3], arguments[4]);
      Node node = Node.build(config(1, arguments[0], arguments[1], addresses).build());
      Device device = Device.attach(node, 3, rank -> "there", DeviceOptions.DEFAULTS);
      node.start();
      Context all = Context.ofAll(0, 3);
      device.recv(all, 0, 0, Layout.empty());
      device.send(all, 0, 0, Ranks.bytes(42));
      SendRequest large =
          device.isend(all, 0, 1, Layout.of(MemorySegment.ofArray(new byte[LARGE])));
      System.out.println("ready");
      device.irecv(all, 0, 9, Layout.empty());
      device.await(large);
    }
  }

  /** Where there is a launcher it knows at once; without it the link's time-out has to do. */
  private static NodeConfig.Builder config(
      int rank, String transport, String cluster, List<String> addresses) {
    return Ranks.config(rank, transport, cluster, addresses).set("link.timeout", "1s");
  }

  /** Every call of rank 0 that depends on rank 1, and those that do not. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void whatDependsOnAKilledRankEndsWithItsName(String transport) throws Exception {
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      addresses.add("127.0.0.1:" + Ports.free());
    }
    String cluster = "lost-rank-" + ProcessHandle.current().pid() + transport;
    Process other = start(transport, cluster, addresses);
    try (Node node = Node.build(config(0, transport, cluster, addresses).build());
        Node third = Node.build(config(2, transport, cluster, addresses).build());
        Device device = Device.attach(node, 3, rank -> "host" + rank, DeviceOptions.DEFAULTS);
        Device living = Device.attach(third, 3, rank -> "host" + rank, DeviceOptions.DEFAULTS)) {
      node.start();
      third.start();
      Context all = Context.ofAll(0, 3);
      Context others = Context.of(1, 0, 2);
      device.send(all, 1, 0, Layout.empty());
      String said = new BufferedReader(new InputStreamReader(other.getInputStream())).readLine();
      assertThat(said).isEqualTo("ready");
      device.probe(all, 1, 1); // so what was sent before is there, too
      byte[] large = new byte[LARGE];
      List<Request> dependent =
          List.of(
              device.irecv(all, 1, 7, Layout.empty()),
              device.irecv(all, Device.ANY_SOURCE, 7, Layout.empty()),
              device.issend(all, 1, 5, Ranks.bytes(1)),
              device.isend(all, 1, 6, Ranks.room(large)));
      ReceiveRequest independent = device.irecv(others, Device.ANY_SOURCE, 7, Layout.empty());
      other.destroyForcibly();
      long sinceNs = System.nanoTime();
      for (Request each : dependent) {
        isLost(device, each);
      }
      assertThat(System.nanoTime() - sinceNs).isLessThan(Duration.ofSeconds(20).toNanos());
      byte[] into = new byte[1];
      device.recv(all, 1, 0, Ranks.room(into)); // it was here
      assertThat(into[0]).isEqualTo((byte) 42);
      isLost(device, device.irecv(all, 1, 1, Ranks.room(large))); // its bytes were there
      isLost(device, device.isend(all, 1, 0, Layout.empty()));
      isLost(device, device.irecv(all, 1, 0, Layout.empty()));
      assertThatExceptionOfType(RankLostException.class).isThrownBy(() -> device.iprobe(all, 1, 0));
      assertThat(independent.isDone()).isFalse();
      living.send(others, 0, 7, Layout.empty());
      device.await(independent);
    } finally {
      other.destroyForcibly();
    }
  }

  private static void isLost(Device device, Request request) {
    assertThatExceptionOfType(RankLostException.class)
        .as(request.call())
        .isThrownBy(() -> device.await(request))
        .withMessageStartingWith("rank 1 on host1 is lost: ")
        .matches(e -> e.rank() == 1);
  }

  private static Process start(String transport, String cluster, List<String> addresses)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Other.class.getName());
    command.addAll(List.of(transport, cluster));
    command.addAll(addresses);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  @Test
  void aReceiveInTheMiddleOfItsMessageFails() throws Exception {
    try (Ranks ranks = new Ranks(2, "shm", DeviceOptions.DEFAULTS)) {
      Device device = ranks.of(0);
      ReceiveRequest receive = device.irecv(ranks.all, 1, 0, Ranks.room(new byte[64 << 20]));
      SendRequest send = ranks.of(1).isend(ranks.all, 0, 0, new Slow(64 << 20));
      Await.until("it has begun", () -> Slow.isBegun);
      device.lose(1, "as the job says");
      isLost(device, receive);
      Slow.mayGoOn = true;
      ranks.of(1).lose(0, "as the job says");
      assertThatExceptionOfType(RankLostException.class).isThrownBy(() -> ranks.of(1).await(send));
    }
  }

  /** A message that stops after its first pieces. */
  private record Slow(long bytes) implements Layout {
    static volatile boolean isBegun;
    static volatile boolean mayGoOn;

    @Override
    public void gather(long from, long length, MemorySegment to, long at) {
      isBegun |= from > 1 << 20;
      while (from > 1 << 20 && !mayGoOn) {
        Thread.onSpinWait();
      }
    }

    @Override
    public void scatter(long to, long length, MemorySegment source, long at) {}
  }

  @Test
  void ranksThatNobodyHasSpokenWithAreLostWhenTheJobSaysSo() throws Exception {
    try (Ranks ranks = new Ranks(3, "shm", DeviceOptions.DEFAULTS)) {
      Device device = ranks.of(0);
      ReceiveRequest named = device.irecv(ranks.all, 1, 0, Layout.empty());
      ReceiveRequest any = device.irecv(ranks.all, Device.ANY_SOURCE, 0, Layout.empty());
      device.lose(1, "it has ended with 1");
      isLost(device, named);
      isLost(device, any);
    }
  }

  /** Nobody listens there, and nobody will. */
  @Test
  void aRankThatEndedBeforeItWasReachedIsLostAtOnce() throws Exception {
    List<String> addresses = List.of("127.0.0.1:" + Ports.free(), "127.0.0.1:" + Ports.free());
    String cluster = "lost-rank-early-" + ProcessHandle.current().pid();
    NodeConfig.Builder config = config(0, "tcp", cluster, addresses).set("connect.timeout", "10m");
    try (Node node = Node.build(config.build());
        Device device = Device.attach(node, 2, rank -> "host" + rank, DeviceOptions.DEFAULTS)) {
      node.start();
      Request send = device.isend(Context.ofAll(0, 2), 1, 0, Layout.empty());
      assertThat(device.await(send, Duration.ofMillis(50))).isFalse();
      device.ended(1, 0);
      assertThat(device.await(send, Duration.ofMinutes(1))).isTrue();
      isLost(device, send);
    }
  }

  /** Sends that are begun while the rank is lost end as well. */
  @Test
  void noSendIsForgottenInTheMomentOfTheLoss() throws Exception {
    for (int round = 0; round < 60; round++) {
      try (Ranks ranks = new Ranks(2, "shm", DeviceOptions.DEFAULTS)) {
        Device device = ranks.of(0);
        device.send(ranks.all, 1, 0, Layout.empty());
        Future<Void> losing = ranks.start(0, it -> it.lose(1, "as the job says"));
        for (Request send = device.isend(ranks.all, 1, 0, Layout.empty());
            device.await(send, Await.LONG);
            send = device.isend(ranks.all, 1, 0, Layout.empty())) {
          if (send.failure() != null) {
            break;
          }
        }
        Ranks.join(losing);
        Request late = device.isend(ranks.all, 1, 0, Layout.empty());
        assertThat(device.await(late, Await.LONG)).isTrue();
      }
    }
  }

  @Test
  void aRankThatEndsWellFailsNobodyThatDoesNotNeedIt() throws Exception {
    try (Ranks ranks = new Ranks(3, "shm", DeviceOptions.DEFAULTS)) {
      Device device = ranks.of(0);
      ranks.of(1).send(ranks.all, 0, 3, Ranks.bytes(3));
      ReceiveRequest named = device.irecv(ranks.all, 1, 0, Layout.empty());
      ReceiveRequest any = device.irecv(ranks.all, Device.ANY_SOURCE, 0, Layout.empty());
      ranks.of(1).close();
      ranks.nodes.get(1).close();
      isLost(device, named);
      ranks.of(2).send(ranks.all, 0, 0, Layout.empty());
      device.await(any);
      device.recv(ranks.all, 1, 3, Ranks.room(new byte[1]));
    }
  }

  /** By its goodbye and by the job alone: its node is still there. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRankThatHasSaidGoodbyeAndEndedIsGone(boolean saysGoodbyeFirst) throws Exception {
    try (Ranks ranks = new Ranks(3, "shm", DeviceOptions.DEFAULTS)) {
      Device device = ranks.of(0);
      ranks.of(1).send(ranks.all, 0, 3, Ranks.bytes(3));
      device.recv(ranks.all, 1, 3, Ranks.room(new byte[1]));
      ranks.of(1).send(ranks.all, 0, 4, Ranks.bytes(3));
      ReceiveRequest named = device.irecv(ranks.all, 1, 0, Layout.empty());
      ReceiveRequest any = device.irecv(ranks.all, Device.ANY_SOURCE, 0, Layout.empty());
      if (saysGoodbyeFirst) {
        ranks.of(1).leave(Duration.ofSeconds(60));
        device.ended(1, 0);
      } else {
        device.ended(1, 0);
        ranks.of(1).leave(Duration.ofSeconds(60));
      }
      isLost(device, named);
      device.recv(ranks.all, 1, 4, Ranks.room(new byte[1]));
      assertThat(any.isDone()).isFalse();
      device.ended(1, 3);
      isLost(device, any);
    }
  }
}
