// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A key is a component of an ordinary message between nodes. */
@Tag("timing")
class KeyInMessageTest {

  /** Asks for room. */
  public record Ask(long bytes) {}

  /** Where the bytes may be put. */
  public record Room(long number, RegionKey key) {}

  @Test
  void travelsInARecord() throws Exception {
    try (Two nodes = new Two();
        Region mine = nodes.one.allocate(64);
        Region theirs = nodes.two.allocate(4096);
        Node store = Node.open(config(2));
        Node client = Node.open(config(1))) {
      store.handle(
          Ask.class,
          (ask, from) -> from.reply(new Room(7, theirs.share(128, ask.bytes(), Access.PUT))));
      Room room = client.request(2, new Ask(64), Room.class, Two.LONG);
      mine.memory().set(ValueLayout.JAVA_LONG, 0, 4711);
      try (Remote remote = Remote.of(room.key())) {
        Two.get(nodes.link().put(mine, 0, remote, 0, 64));
      }
      assertThat(theirs.memory().get(ValueLayout.JAVA_LONG, 128)).isEqualTo(4711);
    }
  }

  private static NodeConfig config(int id) {
    return NodeConfig.builder()
        .id(id)
        .cluster("key-in-message")
        .transport("loopback")
        .peer(3 - id, "")
        .types(MessageTypes.builder().add(1, Ask.class).add(2, Room.class).build())
        .build();
  }
}
