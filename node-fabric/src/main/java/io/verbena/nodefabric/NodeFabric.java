// SPDX-License-Identifier: Apache-2.0
package io.verbena.nodefabric;

import io.verbena.Node;
import io.verbena.NodeClosedException;
import io.verbena.fabric.ClosedException;
import io.verbena.fabric.Fabric;
import io.verbena.fabric.FabricBuilder;
import io.verbena.transport.ClusterKey;
import io.verbena.transport.Companion;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.ConfigKey.Kind;
import io.verbena.transport.NodeIdentity;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The fabric of a node: one-sided memory and channels under the node's id, in its cluster, with its
 * key and in its life.
 *
 * <pre>{@code
 * Node node = Node.build(config);
 * Fabric fabric = NodeFabric.start(node);
 * Link link = fabric.link(peer); // as node.send(peer, ...) would find it
 * }</pre>
 *
 * <p><b>Device.</b> A node with transport rdma shares its device, its address and its session with
 * each peer. Another one gets softnic, at the address where the node listens, by UDP. Nodes of both
 * kinds are linked with each other.
 *
 * <p><b>Peers</b> are the node's, and linked when a link is asked for. One that the node
 * {@linkplain Node#removePeer removes} loses its links.
 *
 * <p><b>Life.</b> The node closes the fabric when its handlers have finished, before its
 * transports; whoever closes the fabric earlier does not disturb the node. Regions, remotes and
 * ends of channels are closed in any order, before or after.
 */
public final class NodeFabric {

  /** As the node knows them; here only to ask for their values. */
  private static final ConfigKey DEVICE = key("rdma.device", "auto");

  private static final ConfigKey SOFTNIC_LISTEN = key("rdma.softnic.listen", "");

  private static final String SOFTNIC = "softnic";

  private final Node node;
  private final FabricBuilder builder;
  private final boolean isBesideVerbsOnly;
  private @Nullable Fabric fabric; // guarded by this, like what follows
  private boolean closed;

  private NodeFabric(Node node, FabricBuilder builder, boolean isBesideVerbsOnly) {
    this.node = node;
    this.builder = builder;
    this.isBesideVerbsOnly = isBesideVerbsOnly;
  }

  private static ConfigKey key(String name, String standard) {
    return new ConfigKey(
        name, Kind.TEXT, standard, "a text", "What the transport over verbs takes.");
  }

  /** Attaches a fabric to a node, starts the node and returns the fabric. */
  public static Fabric start(Node node) {
    NodeFabric attached = attach(node);
    node.start();
    return attached.fabric();
  }

  /** {@link #attach(Node, Consumer)} with all defaults. */
  public static NodeFabric attach(Node node) {
    return attach(node, limits -> {});
  }

  /**
   * Attaches a fabric to a node that is built and not started. It opens when the node starts.
   *
   * @param limits sets how many links, operations, signals and channels there are to be, and {@link
   *     FabricBuilder#deviceOnly}; all else is the node's. Operations of a link are as many as
   *     {@code rdma.send.requests} where the node's device is shared
   * @throws IllegalStateException if the node was started before
   * @throws NodeClosedException if it is closed
   */
  public static NodeFabric attach(Node node, Consumer<FabricBuilder> limits) {
    return attach(node, limits, false);
  }

  /**
   * As {@link #attach(Node)}, but there is a fabric only if the node has a transport over verbs,
   * whose device it shares: no other one is opened for it.
   */
  public static NodeFabric attachBesideVerbs(Node node) {
    return attach(node, limits -> {}, true);
  }

  private static NodeFabric attach(
      Node node, Consumer<FabricBuilder> limits, boolean isBesideVerbsOnly) {
    FabricBuilder builder = Fabric.builder(node.id());
    limits.accept(builder);
    builder.life(node.incarnation());
    NodeFabric attached = new NodeFabric(node, builder, isBesideVerbsOnly);
    node.attach(attached.new Life());
    builder.reserve();
    return attached;
  }

  /**
   * The fabric, once the node has started.
   *
   * @throws IllegalStateException if it has not, or was attached {@linkplain #attachBesideVerbs
   *     beside verbs} and there are none
   * @throws NodeClosedException if it is closed
   */
  public synchronized Fabric fabric() {
    if (closed) {
      throw new NodeClosedException("node " + node.id() + " is closed");
    }
    if (fabric == null) {
      throw new IllegalStateException(
          "node "
              + node.id()
              + " is not started, so it has no fabric yet: call start() first"
              + (isBesideVerbsOnly ? "; or it has no transport over verbs" : ""));
    }
    return fabric;
  }

  /** The fabric, while there is one: none before the node starts, and none once it is closed. */
  public synchronized Optional<Fabric> current() {
    return closed ? Optional.empty() : Optional.ofNullable(fabric);
  }

  /** What the node tells. */
  private final class Life implements Companion {

    @Override
    public void started(NodeIdentity identity) {
      try {
        open(identity);
      } finally {
        builder.forget();
      }
    }

    @Override
    public void peerRemoved(int peer) {
      current().ifPresent(open -> unlessClosed(() -> open.removePeer(peer)));
    }

    @Override
    public void peerGivenUp(int peer, String reason) {
      current().ifPresent(open -> unlessClosed(() -> open.giveUp(peer, reason)));
    }

    @Override
    public void closing() {
      builder.forget(); // of a node that never started
      Optional<Fabric> open = current();
      synchronized (NodeFabric.this) {
        closed = true;
      }
      open.ifPresent(Fabric::close);
    }
  }

  private static void unlessClosed(Runnable step) {
    try {
      step.run();
    } catch (ClosedException e) {
      // its links went with it
    }
  }

  private synchronized void open(NodeIdentity identity) {
    if (isBesideVerbsOnly && !builder.isShared()) {
      return;
    }
    String address = identity.address();
    String device = identity.setting(DEVICE);
    builder
        .cluster(identity.cluster())
        .listen(address.isEmpty() ? "[::]:0" : address)
        .device(device.equals(DEVICE.defaultValue()) ? SOFTNIC : device)
        .softnicListen(identity.setting(SOFTNIC_LISTEN))
        .addresses(identity::addressOf);
    ClusterKey key = identity.clusterKey();
    if (key != null) {
      builder.clusterKey(key.forExchange());
    }
    fabric = builder.open();
  }

  @Override
  public synchronized String toString() {
    return "NodeFabric[" + (fabric == null ? "of node " + node.id() : fabric) + "]";
  }
}
