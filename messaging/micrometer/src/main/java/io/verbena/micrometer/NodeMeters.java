// SPDX-License-Identifier: Apache-2.0
package io.verbena.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.verbena.ConnectionInfo;
import io.verbena.Metrics;
import io.verbena.Node;
import io.verbena.transport.RefusedException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a node as meters: each counter of {@link Metrics#snapshot} under its name with
 * {@code verbena.} before it, tagged with the {@code node}'s id.
 *
 * <ul>
 *   <li>What has a value now is a gauge, everything else a counter.
 *   <li>{@code verbena.links.rejected} has a tag {@code reason}. {@code verbena.sessions.broken} is
 *       the sum of all reasons, of which there may be many.
 *   <li>{@code verbena.connections} tells how many connections there are in each {@code state}.
 * </ul>
 *
 * <pre>{@code
 * Node node = Node.build(config);
 * ...
 * node.start();
 * new NodeMeters(node).bindTo(registry);
 * }</pre>
 *
 * <p>Bind it once the node is started: transports add counters of their own. Meters are read when
 * the registry wants to know; the node's hot path pays nothing. {@link #close} takes them out of
 * the registries again.
 */
public final class NodeMeters implements MeterBinder, AutoCloseable {

  private static final String PREFIX = "verbena.";
  private static final String REJECTED = "links.rejected.";
  private static final String BROKEN = "sessions.broken.";
  private static final Set<String> GAUGES =
      Set.of(
          "overflow.bytes",
          "rdma.connections",
          "rdma.receive.buffer.bytes",
          "rdma.completion.queue.bytes",
          "rdma.bytes.per.connection");

  private final Node node;
  private final Tags tags;
  private final BoundMeters bound = new BoundMeters();

  /** Of a node that is started. */
  public NodeMeters(Node node) {
    this(node, List.of());
  }

  /**
   * As above, with tags that all meters get.
   *
   * @param tags beside {@code node}
   */
  public NodeMeters(Node node, Iterable<Tag> tags) {
    this.node = node;
    this.tags = Tags.of("node", Integer.toString(node.id())).and(tags);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (String name : node.metrics().snapshot().keySet()) {
      if (!name.startsWith(REJECTED) && !name.startsWith(BROKEN)) {
        bound.keep(
            registry, GAUGES.contains(name) ? gauge(registry, name) : counter(registry, name));
      }
    }
    for (RefusedException.Reason reason : RefusedException.Reason.values()) {
      bound.keep(registry, rejected(registry, reason.name()));
    }
    bound.keep(registry, broken(registry));
    for (ConnectionInfo.State state : ConnectionInfo.State.values()) {
      bound.keep(registry, connections(registry, state));
    }
  }

  private Meter counter(MeterRegistry registry, String name) {
    return FunctionCounter.builder(PREFIX + name, node, from -> valueOf(from, name))
        .tags(tags)
        .baseUnit(unitOf(name))
        .register(registry);
  }

  private Meter gauge(MeterRegistry registry, String name) {
    return Gauge.builder(PREFIX + name, node, from -> valueOf(from, name))
        .tags(tags)
        .baseUnit(unitOf(name))
        .register(registry);
  }

  private Meter rejected(MeterRegistry registry, String reason) {
    return FunctionCounter.builder(
            PREFIX + "links.rejected", node, from -> valueOf(from, REJECTED + reason))
        .tags(tags.and("reason", reason))
        .register(registry);
  }

  private Meter broken(MeterRegistry registry) {
    return FunctionCounter.builder(PREFIX + "sessions.broken", node, NodeMeters::brokenSessions)
        .tags(tags)
        .register(registry);
  }

  private Meter connections(MeterRegistry registry, ConnectionInfo.State state) {
    return Gauge.builder(PREFIX + "connections", node, from -> connectionsIn(from, state))
        .tags(tags.and("state", state.name()))
        .register(registry);
  }

  private static double valueOf(Node node, String name) {
    Metrics metrics = node.metrics();
    return switch (name) {
      case "messages.sent" -> metrics.messagesSent();
      case "messages.received" -> metrics.messagesReceived();
      case "bytes.sent" -> metrics.bytesSent();
      case "bytes.received" -> metrics.bytesReceived();
      default -> metrics.snapshot().getOrDefault(name, 0L);
    };
  }

  private static double brokenSessions(Node node) {
    return node.metrics().snapshot().entrySet().stream()
        .filter(count -> count.getKey().startsWith(BROKEN))
        .mapToLong(count -> count.getValue())
        .sum();
  }

  private static double connectionsIn(Node node, ConnectionInfo.State state) {
    return node.connections().stream().filter(info -> info.state() == state).count();
  }

  private static @Nullable String unitOf(String name) {
    return name.contains("bytes") ? BaseUnits.BYTES : null;
  }

  /** Takes the meters out of all registries they were bound to. Idempotent. */
  @Override
  public void close() {
    bound.remove();
  }
}
