// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.ConfigKey;
import io.verbena.transport.ConfigKey.Kind;
import io.verbena.transport.TransportContext;
import io.verbena.transport.replica.LinkLanes;
import io.verbena.transport.replica.Replicas;
import java.time.Duration;
import java.util.List;

/**
 * What the configuration says about TCP.
 *
 * @param listen {@code host:port}, or empty
 * @param socketBufferBytes 0 leaves it to the system
 */
record TcpSettings(
    String listen,
    int socketBufferBytes,
    Duration heartbeat,
    Duration deadAfter,
    Duration handshakeTimeout,
    int maxPendingHandshakes,
    int readsPerRound,
    long maxLaneBytes) {

  /** As the node knows it; here only to ask for its value. */
  private static final ConfigKey LISTEN =
      new ConfigKey("listen", Kind.TEXT, "", "host:port", "Where links are accepted.");

  private static final ConfigKey SOCKET_BUFFER =
      new ConfigKey(
          "tcp.socket.buffer.bytes",
          Kind.BYTES,
          "0",
          "0..64M",
          "Send and receive buffer of each socket; 0 leaves it to the system, which adapts it. Set"
              + " it to rate times round-trip time on long fast paths.");

  private static final ConfigKey HEARTBEAT =
      new ConfigKey(
          "tcp.heartbeat",
          Kind.DURATION,
          "1s",
          "10ms..1m",
          "A link on which nothing arrived for this long is asked for a sign of life.");

  private static final ConfigKey DEAD_AFTER =
      new ConfigKey(
          "tcp.dead.after",
          Kind.DURATION,
          "5s",
          "50ms..10m",
          "A link on which nothing arrived for this long is taken down and dialled again; shorter"
              + " notices cut wires sooner, but takes long pauses of a peer for its death.");

  private static final ConfigKey HANDSHAKE_TIMEOUT =
      new ConfigKey(
          "tcp.handshake.timeout",
          Kind.DURATION,
          "5s",
          "100ms..1m",
          "How long an incoming connection may take to say who it is.");

  private static final ConfigKey MAX_PENDING_HANDSHAKES =
      new ConfigKey(
          "tcp.handshakes.max",
          Kind.NUMBER,
          "64",
          "1..4096",
          "How many incoming connections may be in their handshake at once; more are closed.");

  private static final ConfigKey READS_PER_ROUND =
      new ConfigKey(
          "tcp.reads.per.round",
          Kind.NUMBER,
          "4",
          "1..256",
          "How many times one link is read before the others have their turn.");

  private static final ConfigKey MAX_LANE =
      new ConfigKey(
          "tcp.lane.max.bytes",
          Kind.BYTES,
          "64M",
          "64K..1G",
          "The largest lane a peer may announce: this node holds a replica of each. Must not be"
              + " less than the peers' lane.bytes.");

  static final List<ConfigKey> KEYS =
      List.of(
          SOCKET_BUFFER,
          HEARTBEAT,
          DEAD_AFTER,
          HANDSHAKE_TIMEOUT,
          MAX_PENDING_HANDSHAKES,
          READS_PER_ROUND,
          MAX_LANE);

  /** The lanes of a new link. */
  LinkLanes lanes() {
    return new LinkLanes(MAX_LANE.name(), maxLaneBytes, Replicas.COPIED);
  }

  static TcpSettings of(TransportContext context) {
    return new TcpSettings(
        context.setting(LISTEN),
        (int) context.number(SOCKET_BUFFER),
        context.duration(HEARTBEAT),
        context.duration(DEAD_AFTER),
        context.duration(HANDSHAKE_TIMEOUT),
        (int) context.number(MAX_PENDING_HANDSHAKES),
        (int) context.number(READS_PER_ROUND),
        context.number(MAX_LANE));
  }
}
