// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ids, sizes, counts and offsets below their limit are refused with value and limit. */
class NegativeNumbersTest {

  private static final long LESS = -7;
  private static final int BYTES = 4096;

  private final Two nodes = new Two();
  private final Region mine = nodes.one.allocate(BYTES);
  private final Region theirs = nodes.two.allocate(BYTES);
  private final Remote remote = Remote.of(theirs.share(0, BYTES, Access.values()));

  @AfterEach
  void close() {
    remote.close();
    mine.close();
    nodes.close();
    theirs.close();
  }

  private static void assertRefused(ThrowingCallable call, String what, String limit) {
    assertThatIllegalArgumentException()
        .isThrownBy(call)
        .withMessageContaining(what)
        .withMessageContaining("-7")
        .withMessageContaining(limit);
  }

  /** The limit of those that begin at 0. */
  private static void assertRefused(ThrowingCallable call, String what) {
    assertRefused(call, what, "0");
  }

  @Test
  void ofNodes() {
    assertRefused(() -> Fabric.builder(-7), "node", "0 to 65535");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Fabric.builder(65_536))
        .withMessageContaining("65536")
        .withMessageContaining("0 to 65535");
    assertThat(Fabric.builder(0)).isNotNull();
    assertThat(Fabric.builder(65_535)).isNotNull();
    assertRefused(() -> nodes.one.addPeer(-7, "127.0.0.1:1"), "node");
    assertRefused(() -> nodes.one.removePeer(-7), "node");
    assertRefused(() -> nodes.one.giveUp(-7, "it has gone"), "node");
    assertRefused(() -> nodes.one.link(-7), "node");
    assertRefused(() -> nodes.one.openWriter(-7, 0, Duration.ZERO), "node");
  }

  @Test
  void ofWhatABuilderSets() {
    FabricBuilder builder = Two.builder(3);
    assertRefused(() -> builder.maxLinks(-7), "maxLinks", "1");
    assertRefused(() -> builder.operationsPerLink(-7), "operationsPerLink", "1");
    assertRefused(() -> builder.signalsPerLink(-7), "signalsPerLink", "1");
    assertRefused(() -> builder.channels(-7), "channels", "1");
    assertRefused(() -> builder.heartbeat(Duration.ofSeconds(-7)), "heartbeat");
    assertRefused(() -> builder.deadAfter(Duration.ofSeconds(-7)), "deadAfter");
  }

  @Test
  void ofMemory() {
    assertRefused(() -> nodes.one.allocate(LESS), "region", "1");
    assertRefused(() -> mine.share(LESS, 8, Access.GET), "offset");
    assertRefused(() -> mine.share(0, LESS, Access.GET), "length", "1");
    assertRefused(() -> new RegionKey(1, 1, 1, 0, LESS, 1, false), "length");
  }

  @Test
  void ofOperationsByFutures() {
    nodes.two.drive();
    Link link = nodes.link();
    assertRefused(() -> link.put(mine, LESS, remote, 0, 8), "offset in the local region");
    assertRefused(() -> link.put(mine, 0, remote, LESS, 8), "offset in what the key names");
    assertRefused(() -> link.put(mine, 0, remote, 0, LESS), "length");
    assertRefused(() -> link.get(mine, 0, remote, LESS, 8), "offset");
    assertRefused(() -> link.putSignal(mine, 0, remote, LESS, 8, 1), "offset");
    assertRefused(() -> link.fetchAdd(remote, LESS, 1), "offset");
    assertRefused(() -> link.compareSwap(remote, LESS, 0, 1), "offset");
    assertRefused(() -> link.fetchAddInt(remote, LESS, 1), "offset");
    assertRefused(() -> link.compareSwapInt(remote, LESS, 0, 1), "offset");
  }

  /** What was refused is not among those that are posted. */
  @Test
  void ofOperationsThatArePolled() {
    nodes.two.drive();
    assertRefused(() -> nodes.link().operations(-7), "capacity", "1");
    Operations operations = nodes.link().operations(4);
    assertRefused(() -> operations.put(mine, LESS, remote, 0, 8, 1), "offset");
    assertRefused(() -> operations.put(mine, 0, remote, 0, LESS, 1), "length");
    assertRefused(() -> operations.putSignal(mine, 0, remote, LESS, 8, 1, 1), "offset");
    assertRefused(() -> operations.get(mine, 0, remote, LESS, 8, 1), "offset");
    assertRefused(() -> operations.fetchAdd(mine, LESS, remote, 0, 1, 1), "offset");
    assertRefused(() -> operations.compareSwap(mine, LESS, remote, 0, 1, 1, 1), "offset");
    assertRefused(() -> operations.fetchAddInt(mine, 0, remote, LESS, 1, 1), "offset");
    assertRefused(() -> operations.compareSwapInt(mine, 0, remote, LESS, 1, 1, 1), "offset");
    assertThat(operations.count()).isZero();
    assertRefused(() -> new Completions(-7), "Completions", "1");
    assertRefused(() -> new Signals(-7), "Signals", "1");
  }

  @Test
  void ofChannels() {
    assertRefused(() -> nodes.one.openReader(-7, BYTES), "channel", "0 to 16383");
    assertRefused(() -> nodes.one.openReader(0, LESS), "ring", "4096");
    assertRefused(() -> nodes.one.openWriter(2, -7, Duration.ZERO), "channel", "0 to 16383");
    assertRefused(() -> nodes.one.openConnections(LESS), "ring", "4096");
    try (Connections connections = nodes.one.openConnections(BYTES);
        ChannelReader reader = nodes.two.openReader(1, BYTES);
        ChannelWriter writer = nodes.one.openWriter(2, 1, Two.LONG)) {
      assertRefused(() -> connections.listen(-7), "backlog", "1");
      assertRefused(() -> writer.claim(LESS), "message", "0");
      assertRefused(() -> writer.publish(LESS), "message", "0");
      assertThat(reader.peek()).isEqualTo(ChannelOutcome.WOULD_BLOCK);
    }
  }
}
