// SPDX-License-Identifier: Apache-2.0
package io.verbena.nodefabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.Execution;
import io.verbena.Node;
import io.verbena.PeerLostException;
import io.verbena.fabric.Access;
import io.verbena.fabric.ClosedException;
import io.verbena.fabric.Fabric;
import io.verbena.fabric.FabricException;
import io.verbena.fabric.Link;
import io.verbena.fabric.Region;
import io.verbena.fabric.RegionKey;
import io.verbena.fabric.Remote;
import io.verbena.testkit.Await;
import io.verbena.testkit.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes in two processes, with messages and one-sided memory, and the ends they may have. */
@Tag("timing")
class TwoProcessesTest {

  private static final int BYTES = 1 << 16;

  /**
   * The other process: serves keys until its standard input says what to close first, {@code node}
   * or {@code fabric}.
   */
  static final class Store {
    private Store() {}

    public static void main(String[] arguments) throws IOException {
      String transport = arguments[0];
      Node node = Node.build(Pair.config(2, transport, arguments[1]).cluster(arguments[2]).build());
      NodeFabric attached = NodeFabric.attach(node);
      CompletableFuture<Region> region =
          new CompletableFuture<>(); // which may be asked for at once
      node.handle(
          Pair.Ask.class,
          Execution.virtual(),
          (ask, from) ->
              from.reply(new Pair.Room(region.join().share(0, ask.bytes(), Access.values()))));
      node.start();
      Fabric fabric = attached.fabric();
      region.complete(fabric.allocate(BYTES));
      fabric.drive();
      System.out.println("ready");
      BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
      if ("node".equals(input.readLine())) {
        node.close();
        fabric.close();
      } else {
        fabric.close();
        node.close();
      }
      region.join().close();
      System.out.println("closed");
    }
  }

  private static final class Child implements AutoCloseable {
    private final Process process;
    private final BufferedReader said;

    Child(String... arguments) throws IOException {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-Xmx128m", "--enable-native-access=ALL-UNNAMED"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      String library = System.getProperty("verbena.native.library");
      if (library != null) {
        command.add("-Dverbena.native.library=" + library);
      }
      command.add(Store.class.getName());
      command.addAll(List.of(arguments));
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      said = new BufferedReader(new InputStreamReader(process.getInputStream()));
      assertThat(said.readLine()).isEqualTo("ready");
    }

    void say(String word) {
      try {
        process.getOutputStream().write((word + "\n").getBytes());
        process.getOutputStream().flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    int end() throws Exception {
      assertThat(said.readLine()).isEqualTo("closed");
      assertThat(process.waitFor(Pair.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly();
      said.close();
    }
  }

  /** This process's node, its fabric, and what it has of the other's memory. */
  private static final class Client implements AutoCloseable {
    final Node node;
    final Fabric fabric;
    final Region mine;
    final Remote remote;
    final Link link;

    Client(String transport, String store, String cluster) throws InterruptedException {
      String here = "127.0.0.1:" + Ports.free();
      node = Node.build(Pair.config(1, transport, here).cluster(cluster).peer(2, store).build());
      fabric = NodeFabric.start(node);
      mine = fabric.allocate(BYTES);
      RegionKey key = node.request(2, new Pair.Ask(BYTES), Pair.Room.class, Pair.LONG).key();
      remote = Remote.of(key);
      link = fabric.link(2, Pair.LONG);
      mine.memory().set(ValueLayout.JAVA_LONG, 0, 4711);
      Pair.get(link.put(mine, 0, remote, 0, 8));
      assertThat(Pair.get(link.fetchAdd(remote, 0, 1))).isEqualTo(4711);
    }

    /** Who asks while the node finds that its peer has another life is told so instead. */
    RegionKey askAgain() throws InterruptedException {
      while (true) {
        try {
          return node.request(2, new Pair.Ask(BYTES), Pair.Room.class, Pair.LONG).key();
        } catch (PeerLostException e) {
          Thread.onSpinWait();
        }
      }
    }

    void close(String first) {
      if (first.equals("node")) {
        node.close();
        fabric.close();
      } else {
        fabric.close();
        node.close();
      }
    }

    @Override
    public void close() {
      fabric.close();
      node.close();
      remote.close();
      mine.close();
    }
  }

  private static String cluster() {
    return "two-processes-" + ProcessHandle.current().pid();
  }

  @ParameterizedTest
  @CsvSource({
    "rdma,node,node",
    "rdma,fabric,node",
    "rdma,node,fabric",
    "rdma,fabric,fabric",
    "tcp,node,node",
    "tcp,fabric,fabric"
  })
  void bothOrdersOfClosingAreGood(String transport, String there, String here) throws Exception {
    String address = "127.0.0.1:" + Ports.free();
    try (Child store = new Child(transport, address, cluster());
        Client client = new Client(transport, address, cluster())) {
      store.say(there);
      List<CompletableFuture<?>> open = new ArrayList<>();
      for (int i = 0; i < 64; i++) { // while the other one closes
        open.add(client.link.fetchAdd(client.remote, 8, 1));
        open.add(client.link.put(client.mine, 0, client.remote, 0, BYTES));
      }
      client.close(here);
      for (CompletableFuture<?> one : open) {
        Await.until("an end", one::isDone);
      }
      assertThat(store.end()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rdma", "tcp"})
  void whenAPeerIsKilledWhatIsOpenEndsAndTheNodeGoesOn(String transport) throws Exception {
    String address = "127.0.0.1:" + Ports.free();
    try (Child store = new Child(transport, address, cluster());
        Client client = new Client(transport, address, cluster())) {
      store.process.destroyForcibly().waitFor();
      Await.until(
          "operations fail",
          () -> {
            try {
              Pair.get(client.link.fetchAdd(client.remote, 0, 1));
              return false;
            } catch (FabricException e) {
              return true;
            }
          });
      Await.until("the link is down", () -> !client.link.isUp());
      assertThatExceptionOfType(ClosedException.class)
          .isThrownBy(() -> Pair.get(client.link.put(client.mine, 0, client.remote, 0, 8)));
      try (Child again = new Child(transport, address, cluster())) {
        try (Remote anew = Remote.of(client.askAgain())) {
          Link next = client.fabric.link(2, Pair.LONG);
          Pair.get(next.put(client.mine, 0, anew, 0, 8));
          assertThat(next.counters().relinks()).isEqualTo(1);
        }
        again.say("node");
        assertThat(again.end()).isZero();
      }
    }
  }
}
