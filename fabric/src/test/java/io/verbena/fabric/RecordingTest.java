// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;

/** What the flight recorder hears of links. */
class RecordingTest {

  private final Queue<RecordedEvent> heard = new ConcurrentLinkedQueue<>();

  @Test
  void linksAreRecordedAsTheyComeWorkAndGo() {
    try (RecordingStream stream = new RecordingStream()) {
      stream.enable("io.verbena.LinkUp");
      stream.enable("io.verbena.LinkDown");
      stream.enable("io.verbena.LinkCounters").withPeriod(Duration.ofMillis(50));
      stream.setReuse(false);
      stream.onEvent(heard::add);
      stream.startAsync();
      try (Two nodes = new Two();
          Region mine = nodes.one.allocate(64);
          Region theirs = nodes.two.allocate(64);
          Remote remote = Remote.of(theirs.share(0, 64, Access.PUT))) {
        nodes.two.drive();
        Link link = nodes.link();
        Two.get(link.put(mine, 0, remote, 0, 48));
        RecordedEvent up = await("io.verbena.LinkUp", event -> event.getInt("node") == 1);
        assertThat(up.getInt("peer")).isEqualTo(2);
        assertThat(up.getString("service")).isEqualTo("memory");
        assertThat(up.getString("address")).isEqualTo(nodes.two.address());
        assertThat(up.getBoolean("dialled")).isTrue();
        RecordedEvent accepted = await("io.verbena.LinkUp", event -> event.getInt("node") == 2);
        assertThat(accepted.getBoolean("dialled")).isFalse();
        RecordedEvent counters =
            await(
                "io.verbena.LinkCounters",
                event -> event.getInt("node") == 1 && event.getLong("puts") == 1);
        assertThat(counters.getLong("putBytes")).isEqualTo(48);
        assertThat(counters.getInt("peer")).isEqualTo(2);
        link.disconnect("the test has seen enough");
        RecordedEvent down = await("io.verbena.LinkDown", event -> event.getInt("node") == 2);
        assertThat(down.getString("reason")).contains("the test has seen enough");
        assertThat(down.getInt("peer")).isEqualTo(1);
      }
    }
  }

  /** A fabric that is polled, and never waits, is asked by the recorder. */
  @Test
  void linksOfWhoPollsAreRecordedToo() {
    try (RecordingStream stream = new RecordingStream()) {
      stream.enable("io.verbena.LinkUp");
      stream.enable("io.verbena.LinkCounters").withPeriod(Duration.ofMillis(50));
      stream.setReuse(false);
      stream.onEvent(heard::add);
      stream.startAsync();
      try (Two nodes = new Two()) {
        nodes.two.drive();
        Operations operations = nodes.link().operations(1);
        operations.flush(1).post();
        await("io.verbena.LinkUp", event -> event.getInt("node") == 1);
        await("io.verbena.LinkCounters", event -> event.getLong("flushes") == 1);
      }
    }
  }

  /** Their links come and go like others, but nothing is counted of them. */
  @Test
  void channelsAreRecordedAsTheyComeAndGo() {
    try (RecordingStream stream = new RecordingStream()) {
      stream.enable("io.verbena.LinkUp");
      stream.enable("io.verbena.LinkDown");
      stream.enable("io.verbena.LinkCounters").withPeriod(Duration.ofMillis(50));
      stream.setReuse(false);
      stream.onEvent(heard::add);
      stream.startAsync();
      try (Two nodes = new Two();
          ChannelReader reader = nodes.two.openReader(3, 4096)) {
        try (ChannelWriter writer = nodes.one.openWriter(2, 3, Two.LONG)) {
          writer.push(new byte[] {1}, Two.LONG);
          reader.pop(new byte[1], Two.LONG);
          RecordedEvent up = await("io.verbena.LinkUp", event -> event.getInt("node") == 1);
          assertThat(up.getString("service")).isEqualTo("channel");
          assertThat(nodes.one.handle().<List<?>>use(LinkCounters::ofAll)).isEmpty();
        }
        RecordedEvent down = await("io.verbena.LinkDown", event -> event.getInt("node") == 1);
        assertThat(down.getString("service")).isEqualTo("channel");
      }
    }
  }

  /** Also where there are more than there was room for at first. */
  @Test
  void noLinkIsLeftOut() {
    try (Two nodes = new Two();
        Fabric three = Two.builder(3).open();
        Fabric four = Two.builder(4).open()) {
      nodes.two.drive();
      nodes.link();
      link(nodes.one, three);
      link(nodes.one, four);
      for (int room = 1; room <= 4; room++) {
        int first = room;
        List<LinkCounters> all = nodes.one.handle().use(open -> LinkCounters.ofAll(open, first));
        assertThat(all)
            .as("%d at first", room)
            .extracting(LinkCounters::peer)
            .containsExactlyInAnyOrder(2, 3, 4);
      }
    }
  }

  private static void link(Fabric from, Fabric to) {
    to.drive();
    from.addPeer(to.nodeId(), to.address());
    from.link(to.nodeId(), Two.LONG);
  }

  private RecordedEvent await(String name, Predicate<RecordedEvent> wanted) {
    RecordedEvent[] found = {null};
    Await.until(
        name,
        () -> {
          for (RecordedEvent event : heard) {
            if (event.getEventType().getName().equals(name) && wanted.test(event)) {
              found[0] = event;
            }
          }
          return found[0] != null;
        });
    return found[0];
  }
}
