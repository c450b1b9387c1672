// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.testkit.Await;
import java.lang.foreign.Arena;
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
      // Registered, so that nobody maps it: nothing is done there without this process.
      Region region = fabric.register(Arena.global().allocate(BYTES, 4096));
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
    try (Child peer = new Child(Peer.class, cluster);
        Fabric fabric = node(1, cluster).open();
        Region mine = fabric.allocate(BYTES)) {
      String[] words = peer.line().split(" ");
      fabric.addPeer(2, words[0]);
      try (Remote remote = Remote.of(RegionKey.of(HexFormat.of().parseHex(words[1])))) {
        Link link = fabric.link(2, Two.LONG);
        Two.get(link.put(mine, 0, remote, 0, BYTES));
        peer.stop();
        List<CompletableFuture<Void>> open = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          open.add(link.get(mine, 0, remote, 0, BYTES));
        }
        peer.kill();
        for (CompletableFuture<Void> get : open) {
          assertThatExceptionOfType(UnknownOutcomeException.class)
              .isThrownBy(() -> Two.get(get))
              .withMessageContaining("node 2");
        }
        Await.until("the link is down", () -> !link.isUp());
        assertThatExceptionOfType(ClosedException.class)
            .isThrownBy(() -> Two.get(link.put(mine, 0, remote, 0, 8)))
            .withMessageContaining("the link with node 2 is down");
      }
      Two.get(CompletableFuture.completedFuture(fabric.allocate(8))).close();
    }
  }
}
