// SPDX-License-Identifier: Apache-2.0
package io.verbena.examples;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.fabric.Access;
import io.verbena.fabric.Fabric;
import io.verbena.fabric.Link;
import io.verbena.fabric.Region;
import io.verbena.fabric.RegionKey;
import io.verbena.fabric.Remote;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/** A store gives room away by message, and its client places bytes there itself. */
public final class PlacedBytes {

  private static final int CLIENT = 1;
  private static final int STORE = 2;
  private static final int BYTES = 4096;

  private PlacedBytes() {}

  /** Asks for room. */
  public record Reserve(long bytes) {}

  /** Where the bytes go: a key is a component like any other. */
  public record Room(RegionKey key) {}

  /** Runs the example. */
  public static void main(String[] arguments) throws InterruptedException {
    try (Fabric store = Fabric.builder(STORE).listen("127.0.0.1:0").device("softnic").open();
        Region log = store.allocate(BYTES);
        Node storeNode = Node.build(config(STORE, CLIENT));
        Fabric client = Fabric.builder(CLIENT).listen("127.0.0.1:0").device("softnic").open();
        Region mine = client.allocate(BYTES);
        Node clientNode = Node.build(config(CLIENT, STORE))) {
      storeNode.handle(
          Reserve.class,
          (asked, from) ->
              from.reply(new Room(log.share(0, asked.bytes(), Access.PUT, Access.ATOMIC))));
      storeNode.start();
      clientNode.start();
      // Behind the bytes, a number. The fabric's thread calls this; it runs from here on.
      store.onSignal(
          (peer, length) ->
              System.out.println(
                  "node " + peer + " has placed: " + log.memory().asSlice(8, length).getString(0)));

      Room room = clientNode.request(STORE, new Reserve(BYTES), Room.class, Duration.ofSeconds(60));
      client.addPeer(STORE, store.address());
      Link link = client.link(STORE);
      try (Remote remote = Remote.of(room.key())) {
        String text = "no processor of mine has moved this";
        int length = text.length() + 1;
        mine.memory().setString(0, text);
        link.putSignal(mine, 0, remote, 8, length, length).join();

        // Atomics bring what was there before.
        long before = link.fetchAdd(remote, 0, 1).join();
        link.flush().join(); // all of it can be seen at the store
        System.out.println(
            "counted from " + before + " to " + log.memory().get(ValueLayout.JAVA_LONG, 0));

        // Revoked is revoked: nothing gets there through the key any more.
        log.revoke(room.key());
        link.put(mine, 0, remote, 8, length)
            .handle((done, refused) -> refused == null ? "placed" : "not placed")
            .thenAccept(System.out::println)
            .join();
      }
    }
  }

  private static NodeConfig config(int id, int peer) {
    return NodeConfig.builder()
        .id(id)
        .cluster("placed-bytes")
        .transport("loopback")
        .peer(peer, "")
        .types(MessageTypes.builder().add(1, Reserve.class).add(2, Room.class).build())
        .build();
  }
}
