// SPDX-License-Identifier: Apache-2.0
package io.verbena.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.transport.RefusedException;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a registry knows of two nodes that talk. */
class NodeMetersTest {

  record Word(long number) {}

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final Node one = node(1, 2);
  private final Node two = node(2, 1);

  private static Node node(int id, int peer) {
    return Node.build(
        NodeConfig.builder()
            .id(id)
            .cluster("meters")
            .transport("loopback")
            .set("connect.timeout", "3m")
            .peer(peer, "")
            .types(MessageTypes.builder(MethodHandles.lookup()).add(1, Word.class).build())
            .build());
  }

  @BeforeEach
  void start() throws InterruptedException {
    two.handle(Word.class, (word, from) -> from.reply(word));
    two.start();
    one.start();
    new NodeMeters(one, Tags.of("zone", "a")).bindTo(registry);
    new NodeMeters(two).bindTo(registry);
    for (int i = 0; i < 5; i++) {
      one.request(2, new Word(i), Word.class, PATIENCE);
    }
  }

  @AfterEach
  void close() {
    one.close();
    two.close();
  }

  private double count(String name, String... tags) {
    FunctionCounter counter = registry.find(name).tags(tags).functionCounter();
    assertThat(counter).as(name).isNotNull();
    return counter.count();
  }

  private double gauge(String name, String... tags) {
    Gauge gauge = registry.find(name).tags(tags).gauge();
    assertThat(gauge).as(name).isNotNull();
    return gauge.value();
  }

  @Test
  void countersTellWhatTheNodeCounts() {
    assertThat(count("verbena.messages.sent", "node", "1", "zone", "a")).isEqualTo(5);
    assertThat(count("verbena.messages.received", "node", "2")).isEqualTo(5);
    assertThat(count("verbena.requests.answered", "node", "1")).isEqualTo(5);
    assertThat(count("verbena.bytes.sent", "node", "1")).isEqualTo(one.metrics().bytesSent());
    assertThat(count("verbena.handlers.failed", "node", "2")).isZero();
  }

  @Test
  void everyCounterOfTheNodeIsAMeter() {
    for (String name : one.metrics().snapshot().keySet()) {
      assertThat(registry.find("verbena." + name).tags("node", "1").meters()).as(name).hasSize(1);
    }
  }

  @Test
  void whatHasAValueNowIsAGauge() {
    assertThat(gauge("verbena.overflow.bytes", "node", "1")).isZero();
    assertThat(gauge("verbena.connections", "node", "1", "state", "CONNECTED")).isEqualTo(1);
    assertThat(gauge("verbena.connections", "node", "1", "state", "RESUMING")).isZero();
  }

  @Test
  void bytesHaveTheirUnit() {
    assertThat(registry.find("verbena.bytes.received").meters())
        .extracting(Meter::getId)
        .extracting(Meter.Id::getBaseUnit)
        .containsOnly("bytes");
  }

  @Test
  void refusedLinksAreToldByReason() {
    for (RefusedException.Reason reason : RefusedException.Reason.values()) {
      assertThat(count("verbena.links.rejected", "node", "1", "reason", reason.name())).isZero();
    }
    assertThat(count("verbena.sessions.broken", "node", "1")).isZero();
  }

  @Test
  void closedMetersAreGoneAndOthersStay() {
    int before = registry.getMeters().size();
    NodeMeters again = new NodeMeters(one, Tags.of("zone", "b"));
    again.bindTo(registry);
    assertThat(registry.getMeters()).hasSizeGreaterThan(before);
    again.close();
    again.close();
    assertThat(registry.getMeters()).hasSize(before);
    assertThat(count("verbena.messages.sent", "node", "1", "zone", "a")).isEqualTo(5);
  }
}
