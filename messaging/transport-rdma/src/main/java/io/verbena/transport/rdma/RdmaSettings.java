// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.natives.SharedEndpoints;
import io.verbena.natives.Struct;
import io.verbena.natives.Structs;
import io.verbena.transport.ClusterKey;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.ConfigKey.Kind;
import io.verbena.transport.TransportContext;
import io.verbena.transport.rdma.internal.Endpoint;
import io.verbena.transport.replica.LinkLanes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;

/** What the configuration says about rdma. */
final class RdmaSettings {

  /** As the node knows them; here only to ask for their values. */
  private static final ConfigKey LISTEN =
      new ConfigKey("listen", Kind.TEXT, "", "host:port", "Where links are accepted.");

  private static final ConfigKey TRANSPORT =
      new ConfigKey("transport", Kind.TEXT, "auto", "a name", "How peers are reached.");

  private static final String ANY = "auto";

  private static final ConfigKey DEVICE =
      new ConfigKey(
          "rdma.device",
          Kind.TEXT,
          ANY,
          "auto, softnic, or a device's name",
          "The verbs device; './verbena devices' lists them. auto takes the fastest usable port of a"
              + " kernel device, and softnic where there is none and transport is rdma. With transport"
              + " auto softnic is used between nodes that both name it here.");

  private static final ConfigKey SOFTNIC_LISTEN =
      new ConfigKey(
          "rdma.softnic.listen",
          Kind.TEXT,
          "",
          "address[:port[-last]], [ipv6]:port-last, or empty",
          "Where softnic is reached by nodes of other hosts, over TCP: an address of this host and"
              + " as many ports as nodes here may have, 24740 and up by default. The first port is"
              + " the same on all hosts. Empty: this host alone. Set cluster.key with it.");

  private static final ConfigKey PORT =
      new ConfigKey(
          "rdma.port",
          Kind.NUMBER,
          "0",
          "0..255",
          "The device's port, counted from 1; 0 takes the first usable one.");

  private static final ConfigKey GID_INDEX =
      new ConfigKey(
          "rdma.gid.index",
          Kind.NUMBER,
          ANY,
          "auto, or 0..255",
          "The port's address. auto prefers RoCE v2 to v1 and IPv4 to IPv6; set it where a network is"
              + " reached by another one.");

  private static final ConfigKey PKEY =
      new ConfigKey(
          "rdma.pkey",
          Kind.NUMBER,
          ANY,
          "auto, or 0..65535",
          "The partition (P_Key) of an InfiniBand fabric; auto takes the port's first.");

  private static final ConfigKey SERVICE_LEVEL =
      new ConfigKey(
          "rdma.service.level",
          Kind.NUMBER,
          ANY,
          "auto, or 0..15",
          "The service level of packets; auto is 0. Set it where the fabric maps levels to lanes.");

  private static final ConfigKey TRAFFIC_CLASS =
      new ConfigKey(
          "rdma.traffic.class",
          Kind.NUMBER,
          ANY,
          "auto, or 0..255",
          "The traffic class of packets: over RoCE v2 the DSCP times 4, plus ECN (DSCP 26 is 104);"
              + " auto is 0. Set it where switches sort RoCE by it.");

  private static final ConfigKey MTU =
      new ConfigKey(
          "rdma.mtu",
          Kind.CHOICE,
          ANY,
          "auto|256|512|1024|2048|4096",
          "The largest packet in bytes; auto takes the port's. Both sides use the smaller one.");

  static final ConfigKey MAX_CONNECTIONS =
      new ConfigKey(
          "rdma.connections.max",
          Kind.NUMBER,
          "256",
          "1..16384",
          "How many peers may be connected at once; one more is refused, or reached otherwise with"
              + " transport auto. Each place costs from the start locked memory of"
              + " rdma.control.bytes and some headers, 2 KiB with 64 rdma.send.requests, and as many"
              + " entries of the completion queue (48 bytes each).");

  static final ConfigKey SEND_REQUESTS =
      new ConfigKey(
          "rdma.send.requests",
          Kind.NUMBER,
          "64",
          "4..4096",
          "How many sends of one connection the device may have at once. More help on long fast"
              + " paths; each costs some 200 bytes of the device's queue.");

  static final ConfigKey SIGNAL_EVERY =
      new ConfigKey(
          "rdma.signal.every",
          Kind.NUMBER,
          "16",
          "1..2048",
          "One of so many sends reports that it is done; must be less than rdma.send.requests.");

  static final ConfigKey BUFFER_BYTES =
      new ConfigKey(
          "rdma.buffer.bytes",
          Kind.BYTES,
          "16K",
          "256..1M, a power of two",
          "The size of a receive buffer. Times rdma.buffers.per.receive it is the"
              + " largest send of a peer to this node: larger ones raise the rate of bulk data.");

  static final ConfigKey BUFFERS_PER_RECEIVE =
      new ConfigKey(
          "rdma.buffers.per.receive",
          Kind.NUMBER,
          "1",
          "1..4",
          "How many times rdma.buffer.bytes a receive takes. A small message lands in a small part"
              + " of its own.");

  static final ConfigKey RECEIVE_REQUESTS =
      new ConfigKey(
          "rdma.receive.requests",
          Kind.NUMBER,
          "512",
          "16..65536",
          "How many receives the windows of all peers may grow by together. Each peer begins with"
              + " eight besides. A receive takes rdma.buffers.per.receive times rdma.buffer.bytes,"
              + " 16K by default, locked.");

  private static final ConfigKey WINDOW =
      new ConfigKey(
          "rdma.window",
          Kind.NUMBER,
          "32",
          "2..4096",
          "How many sends a peer may have under way to this node before it hears that they were"
              + " taken, once its window has grown: it begins with seven. Times the peers that send at"
              + " once it should not be more than rdma.receive.requests, or windows grow less.");

  static final ConfigKey CONTROL_BYTES =
      new ConfigKey(
          "rdma.control.bytes",
          Kind.BYTES,
          "16K",
          "4K..1M, a power of two",
          "The ring of each connection for what is no message; locked memory.");

  private static final ConfigKey HEARTBEAT =
      new ConfigKey(
          "rdma.heartbeat",
          Kind.DURATION,
          "1s",
          "10ms..1m",
          "A peer that was not heard of for this long is asked for a sign of life.");

  private static final ConfigKey DEAD_AFTER =
      new ConfigKey(
          "rdma.dead.after",
          Kind.DURATION,
          "5s",
          "50ms..10m",
          "A link to a peer that was not heard of for this long is taken down and dialled again;"
              + " shorter notices cut wires sooner, but takes long pauses of a peer for its death. Must be"
              + " more than rdma.heartbeat.");

  private static final ConfigKey HANDSHAKE_TIMEOUT =
      new ConfigKey(
          "rdma.handshake.timeout",
          Kind.DURATION,
          "5s",
          "100ms..1m",
          "How long a connected peer may take to say who it is.");

  private static final ConfigKey MAX_LANE =
      new ConfigKey(
          "rdma.lane.max.bytes",
          Kind.BYTES,
          "64M",
          "64K..1G",
          "The largest lane a peer may announce: this node holds a replica of each. Must not be"
              + " less than the peers' lane.bytes.");

  private static final ConfigKey PLACEMENT =
      new ConfigKey(
          "rdma.placement",
          Kind.CHOICE,
          RdmaReplicas.ON,
          "on|off",
          "on: peers write large pieces straight into this node's replicas of their lanes, which are"
              + " locked memory then; saves two copies. off: a peer can write nowhere in this node's"
              + " memory, and everything comes through receive buffers.");

  static final List<ConfigKey> KEYS =
      List.of(
          DEVICE,
          SOFTNIC_LISTEN,
          PORT,
          GID_INDEX,
          PKEY,
          SERVICE_LEVEL,
          TRAFFIC_CLASS,
          MTU,
          MAX_CONNECTIONS,
          SEND_REQUESTS,
          SIGNAL_EVERY,
          BUFFER_BYTES,
          BUFFERS_PER_RECEIVE,
          RECEIVE_REQUESTS,
          WINDOW,
          CONTROL_BYTES,
          HEARTBEAT,
          DEAD_AFTER,
          HANDSHAKE_TIMEOUT,
          MAX_LANE,
          PLACEMENT);

  private final TransportContext context;

  RdmaSettings(TransportContext context) {
    this.context = context;
  }

  /**
   * Checks what must fit together; each value by itself is in its range.
   *
   * @throws IOException naming the keys and their values
   */
  void check() throws IOException {
    if (context.number(SIGNAL_EVERY) >= context.number(SEND_REQUESTS)) {
      throw misfit(SIGNAL_EVERY, "less than", SEND_REQUESTS);
    }
    if (context.number(DEAD_AFTER) <= context.number(HEARTBEAT)) {
      throw misfit(DEAD_AFTER, "more than", HEARTBEAT);
    }
  }

  private IOException misfit(ConfigKey key, String relation, ConfigKey other) {
    return new IOException(
        key.name()
            + " = '"
            + context.setting(key)
            + "': must be "
            + relation
            + " "
            + other.name()
            + ", which is "
            + context.setting(other));
  }

  /** Whether links are accepted at an address the user knows. */
  boolean listens() {
    return !context.setting(LISTEN).isEmpty();
  }

  Duration handshakeTimeout() {
    return context.duration(HANDSHAKE_TIMEOUT);
  }

  /** The lanes of a new link. */
  LinkLanes lanes(Endpoint endpoint) {
    return new LinkLanes(
        MAX_LANE.name(),
        context.number(MAX_LANE),
        RdmaReplicas.of(endpoint, context.setting(PLACEMENT)));
  }

  /** Whether the user asked for rdma by name: then softnic will do. */
  boolean isChosenByName() {
    return !context.setting(TRANSPORT).equals(ANY);
  }

  /** Whether the user asked for a certain device, softnic among them. */
  boolean namesDevice() {
    return !context.setting(DEVICE).equals(ANY);
  }

  /** What is asked of a device. */
  Wishes wishes() {
    String device = context.setting(DEVICE);
    int port = number(PORT);
    return Wishes.builder()
        .device(device.equals(ANY) ? "" : device)
        .port(port == 0 ? Wishes.ANY : port)
        .gidIndex(numberOrAny(GID_INDEX))
        .pkey(numberOrAny(PKEY))
        .serviceLevel(numberOrAny(SERVICE_LEVEL))
        .trafficClass(numberOrAny(TRAFFIC_CLASS))
        .mtuBytes(numberOrAny(MTU))
        .listen(context.setting(SOFTNIC_LISTEN))
        .build();
  }

  private int number(ConfigKey key) {
    return (int) context.number(key);
  }

  private int numberOrAny(ConfigKey key) {
    String text = context.setting(key); // checked against its range
    return text.equals(ANY) ? Wishes.ANY : Integer.parseInt(text);
  }

  /** The struct of all that, which lives as long as the arena. */
  Struct toStruct(Arena arena) {
    Struct struct = Struct.allocate(Structs.ENDPOINT_OPTIONS, arena);
    struct.setInt("node_id", context.nodeId());
    struct.setLong("incarnation", context.incarnation());
    struct.setAddress("cluster", arena.allocateFrom(context.cluster()));
    setKey(struct, arena);
    String listen = context.setting(LISTEN);
    struct.setAddress("listen", arena.allocateFrom(listen.isEmpty() ? "[::]:0" : listen));
    struct.setAddress("device", wishes().toStruct(arena).memory());
    struct.setInt("kernel_only", isChosenByName() ? 0 : 1);
    struct.setInt("max_connections", number(MAX_CONNECTIONS));
    struct.setInt("send_work_requests", number(SEND_REQUESTS));
    struct.setInt("signal_every", number(SIGNAL_EVERY));
    struct.setInt("buffer_bytes", number(BUFFER_BYTES));
    struct.setInt("buffers_per_receive", number(BUFFERS_PER_RECEIVE));
    struct.setInt("receive_work_requests", number(RECEIVE_REQUESTS));
    struct.setInt("window", number(WINDOW));
    struct.setInt("control_bytes", number(CONTROL_BYTES));
    struct.setLong("heartbeat_ns", context.duration(HEARTBEAT).toNanos());
    struct.setLong("dead_after_ns", context.duration(DEAD_AFTER).toNanos());
    setFabric(struct);
    return struct;
  }

  private void setKey(Struct struct, Arena arena) {
    ClusterKey key = context.clusterKey();
    if (key == null) {
      return;
    }
    byte[] derived = key.forExchange();
    struct.setAddress("key", arena.allocateFrom(ValueLayout.JAVA_BYTE, derived));
    struct.setLong("key_bytes", derived.length);
  }

  /** The node's fabric, if it is to have one, finds its room at the endpoint. */
  private void setFabric(Struct struct) {
    Struct wish = SharedEndpoints.wishOf(context.incarnation());
    if (wish != null) {
      struct.setAddress("fabric", wish.memory());
    }
  }
}
