// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A peer in a process of its own that is killed in the middle. */
@Tag("timing")
class KilledPeerTest {

  private static final int BYTES = 1 << 20;

  /** The peer: prints where it is and a key, and drives until it is killed. */
  static final class Peer {
    private Peer() {}

    public static void main(String[] cluster) throws Exception {
      Fabric fabric = node(2, cluster[0]).open();
      Region region = fabric.allocate(BYTES);
      fabric.drive();
      RegionKey key = region.share(0, BYTES, Access.values());
      System.out.println(fabric.address() + " " + HexFormat.of().formatHex(key.toBytes()));
      TimeUnit.MINUTES.sleep(5);
    }
  }

  private static FabricBuilder node(int id, String cluster) {
    return Fabric.builder(id)
        .cluster(cluster)
        .listen("127.0.0.1:0")
        .device("softnic")
        .heartbeat(Duration.ofMillis(200))
        .deadAfter(Duration.ofSeconds(2));
  }

  @Test
  void whatIsOpenEndsUnknownAndTheSurvivorGoesOn() throws Exception {
    String cluster = "killed-" + ProcessHandle.current().pid();
    Process peer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Peer.class.getName(),
                cluster)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (Fabric fabric = node(1, cluster).open();
        Region mine = fabric.allocate(BYTES);
        BufferedReader said = new BufferedReader(new InputStreamReader(peer.getInputStream()))) {
      String[] words = said.readLine().split(" ");
      fabric.addPeer(2, words[0]);
      try (Remote remote = Remote.of(RegionKey.of(HexFormat.of().parseHex(words[1])))) {
        Link link = fabric.link(2, Two.LONG);
        Two.get(link.put(mine, 0, remote, 0, BYTES));
        peer.destroyForcibly().waitFor();
        assertThatExceptionOfType(FabricException.class).isThrownBy(() -> use(link, mine, remote));
      }
      Two.get(CompletableFuture.completedFuture(fabric.allocate(8))).close();
    } finally {
      peer.destroyForcibly();
    }
  }

  private static void use(Link link, Region mine, Remote remote) {
    List<CompletableFuture<Void>> open = new ArrayList<>();
    long until = System.nanoTime() + Two.LONG.toNanos();
    while (System.nanoTime() < until) {
      open.add(link.put(mine, 0, remote, 0, 4096));
      if (open.size() > 100) {
        Two.get(open.removeFirst());
      }
    }
    assertThat(open).as("the link should be down").isEmpty();
  }
}
