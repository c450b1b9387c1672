// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.ConfigKey;
import io.verbena.transport.ConfigKey.Kind;
import io.verbena.transport.TransportContext;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

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

  static TcpSettings of(TransportContext context) {
    return new TcpSettings(
        context.setting(LISTEN).strip(),
        (int) number(context, SOCKET_BUFFER),
        duration(context, HEARTBEAT),
        duration(context, DEAD_AFTER),
        duration(context, HANDSHAKE_TIMEOUT),
        (int) number(context, MAX_PENDING_HANDSHAKES),
        (int) number(context, READS_PER_ROUND),
        number(context, MAX_LANE));
  }

  private static Duration duration(TransportContext context, ConfigKey key) {
    return Duration.ofNanos(number(context, key));
  }

  /** The node has checked form and range already. */
  private static long number(TransportContext context, ConfigKey key) {
    String value = context.setting(key).strip().toUpperCase(Locale.ROOT);
    int digits = 0;
    while (digits < value.length() && Character.isDigit(value.charAt(digits))) {
      digits++;
    }
    long number = Long.parseLong(value.substring(0, digits));
    String unit = value.substring(digits);
    return number * (key.kind() == Kind.DURATION ? nanosPer(unit) : bytesPer(unit));
  }

  private static long bytesPer(String unit) {
    return switch (unit) {
      case "K" -> 1L << 10;
      case "M" -> 1L << 20;
      case "G" -> 1L << 30;
      default -> 1;
    };
  }

  private static long nanosPer(String unit) {
    return switch (unit) {
      case "US" -> 1_000L;
      case "MS" -> 1_000_000L;
      case "S" -> 1_000_000_000L;
      case "M" -> 60_000_000_000L;
      case "H" -> 3_600_000_000_000L;
      default -> 1;
    };
  }
}
