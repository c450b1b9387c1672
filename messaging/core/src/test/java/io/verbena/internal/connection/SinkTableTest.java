// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.MessageTypes;
import io.verbena.internal.codec.MessageSink;
import io.verbena.internal.codec.PeerTypes;
import io.verbena.internal.codec.TypeTable;
import io.verbena.internal.codec.UnansweredOrigin;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The sinks for peers with another version of the program follow the node's handlers. */
class SinkTableTest {

  record Count(int value) {}

  private static final int COUNT = 1;

  private final MessageTypes types = MessageTypes.builder().add(COUNT, Count.class).build();
  private final TypeTable table = TypeTable.of(types);
  private final PeerTypes newer = typesWith("value:int,unit:string");
  private final SinkTable own = new SinkTable();
  private final List<String> handled = new ArrayList<>();

  private PeerTypes typesWith(String components) {
    return table.typesOf(types.description().replace("value:int", components));
  }

  private void handle(String handler) {
    own.put(
        COUNT,
        Objects.requireNonNull(table.codec(COUNT))
            .sink((message, from) -> handled.add(handler + " " + ((Count) message).value())));
  }

  private void accept(SinkTable from, int... bytes) {
    byte[] body = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      body[i] = (byte) bytes[i];
    }
    MessageSink sink = Objects.requireNonNull(from.find(COUNT));
    sink.accept(MemorySegment.ofArray(body), 0, body.length, new UnansweredOrigin());
  }

  @Test
  void peersWithTheSameTypesShareTheNodesTable() {
    assertThat(own.of(table.ownTypes())).isSameAs(own);
  }

  @Test
  void readsWhatThePeerWritesAndFeedsTheSameHandler() {
    handle("first");
    accept(own, 5, 0, 0, 0);
    accept(own.of(newer), 6, 0, 0, 0, 2, 'm');
    assertThat(handled).containsExactly("first 5", "first 6");
  }

  @Test
  void aHandlerThatTakesAnothersPlaceTakesItForAllPeers() {
    SinkTable peers = own.of(newer);
    assertThat(peers.find(COUNT)).isNull();
    handle("first");
    accept(peers, 6, 0, 0, 0, 0);
    handle("second");
    accept(peers, 7, 0, 0, 0, 0);
    assertThat(handled).containsExactly("first 6", "second 7");
  }

  @Test
  void aPeerThatComesAgainFindsItsSinksMade() {
    handle("first");
    MessageSink made = own.of(newer).find(COUNT);
    assertThat(own.of(typesWith("value:int,unit:string")).find(COUNT)).isSameAs(made);
    for (int i = 0; i < 100; i++) { // more versions than are kept, while one is in use
      own.of(typesWith("value:int,unit" + i + ":string")).find(COUNT);
    }
    SinkTable inUse = own.of(newer);
    handle("second");
    accept(inUse, 7, 0, 0, 0, 0);
    assertThat(handled).containsExactly("second 7");
  }
}
