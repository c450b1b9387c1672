// SPDX-License-Identifier: Apache-2.0
package io.verbena;

import io.verbena.internal.config.ConfigSources;
import io.verbena.internal.config.CoreKeys;
import io.verbena.internal.config.KeyFile;
import io.verbena.internal.config.PeerList;
import io.verbena.transport.ClusterKey;
import io.verbena.transport.ConfigKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a node is set up; immutable. Every key, with its default and range, stands in
 * docs/configuration.md.
 *
 * <pre>{@code
 * NodeConfig.builder().id(1).listen("10.0.0.1:7000").peer(2, "10.0.0.2:7000").types(types).build();
 * }</pre>
 */
public final class NodeConfig {

  private static final MessageTypes NO_TYPES = MessageTypes.builder().build();

  private final Map<String, String> values;
  private final Map<Integer, String> peers;
  private final MessageTypes types;
  private final @Nullable ClusterKey clusterKey;
  private final long laneBytes;
  private final long messageMaxBytes;
  private final int poolQueueMessages;

  private NodeConfig(Builder builder) {
    Map<String, String> all = new HashMap<>(builder.sources.effective());
    this.clusterKey =
        KeyFile.key(
            all.getOrDefault(CoreKeys.CLUSTER_KEY.name(), ""),
            all.getOrDefault(CoreKeys.CLUSTER_KEY_FILE.name(), ""));
    all.remove(CoreKeys.CLUSTER_KEY.name()); // from here on only the proofs know it
    this.values = Map.copyOf(all);
    this.types = builder.types;
    this.peers = PeerList.merged(setting(CoreKeys.PEERS), builder.peers);
    if (setting(CoreKeys.NODE_ID).isEmpty()) {
      throw new ConfigException(
          "node.id is not set: give this node an id of its own, " + CoreKeys.NODE_ID.range());
    }
    this.laneBytes = number(CoreKeys.LANE_BYTES);
    this.messageMaxBytes = number(CoreKeys.MESSAGE_MAX_BYTES);
    this.poolQueueMessages = (int) number(CoreKeys.POOL_QUEUE_MESSAGES);
  }

  /** Starts with all defaults. */
  public static Builder builder() {
    return new Builder();
  }

  private long number(ConfigKey key) {
    return key.number(setting(key));
  }

  private Duration duration(ConfigKey key) {
    return key.duration(setting(key));
  }

  /**
   * The value of any key; its default if it was not set. Secrets of transports are told, {@code
   * cluster.key} is not: see {@link #clusterKey}.
   */
  public String setting(ConfigKey key) {
    return values.getOrDefault(key.name(), key.defaultValue());
  }

  /** {@code node.id}. */
  public int nodeId() {
    return (int) number(CoreKeys.NODE_ID);
  }

  /** {@code cluster}. */
  public String cluster() {
    return setting(CoreKeys.CLUSTER);
  }

  /** {@code cluster.key} or what stands in {@code cluster.key.file}; null if neither is set. */
  public @Nullable ClusterKey clusterKey() {
    return clusterKey;
  }

  /** The peers and their addresses, ordered by id. */
  public Map<Integer, String> peers() {
    return peers;
  }

  /** {@code listen}. */
  public String listen() {
    return setting(CoreKeys.LISTEN);
  }

  /** {@code transport}. */
  public String transport() {
    return setting(CoreKeys.TRANSPORT);
  }

  /** The type table; without any type if none was given. */
  public MessageTypes types() {
    return types;
  }

  /** {@code lane.bytes}. */
  public long laneBytes() {
    return laneBytes;
  }

  /** {@code lane.shrink.after}. */
  public Duration laneShrinkAfter() {
    return duration(CoreKeys.LANE_SHRINK_AFTER);
  }

  /** {@code message.max.bytes}. */
  public long messageMaxBytes() {
    return messageMaxBytes;
  }

  /** {@code overflow.bytes}. */
  public long overflowBytes() {
    return number(CoreKeys.OVERFLOW_BYTES);
  }

  /** {@code pool.queue.messages}. */
  public int poolQueueMessages() {
    return poolQueueMessages;
  }

  /** {@code pool.queue.bytes}. */
  public long poolQueueBytes() {
    return number(CoreKeys.POOL_QUEUE_BYTES);
  }

  /** {@code request.timeout}. */
  public Duration requestTimeout() {
    return duration(CoreKeys.REQUEST_TIMEOUT);
  }

  /** {@code requests.max}. */
  public int requestsMax() {
    return (int) number(CoreKeys.REQUESTS_MAX);
  }

  /** {@code connect.timeout}. */
  public Duration connectTimeout() {
    return duration(CoreKeys.CONNECT_TIMEOUT);
  }

  /** {@code link.timeout}. */
  public Duration linkTimeout() {
    return duration(CoreKeys.LINK_TIMEOUT);
  }

  /** {@code idle.spin}. */
  public Duration idleSpin() {
    return duration(CoreKeys.IDLE_SPIN);
  }

  /** {@code idle.looks}. */
  public int idleLooks() {
    return (int) number(CoreKeys.IDLE_LOOKS);
  }

  /** {@code connections.max}. */
  public int connectionsMax() {
    return (int) number(CoreKeys.CONNECTIONS_MAX);
  }

  /** {@code lanes.max}. */
  public int lanesMax() {
    return (int) number(CoreKeys.LANES_MAX);
  }

  /** {@code close.grace}. */
  public Duration closeGrace() {
    return duration(CoreKeys.CLOSE_GRACE);
  }

  /** The node, its cluster and how it is reached; no secrets. */
  @Override
  public String toString() {
    return "NodeConfig[node "
        + setting(CoreKeys.NODE_ID)
        + " of "
        + cluster()
        + " over "
        + transport()
        + "]";
  }

  /**
   * Collects a configuration. What is set here goes before system properties, those before the
   * environment, that before files, those before {@link #setDefault}, in whatever order they are
   * read. Of the methods that set or read values each one throws {@link ConfigException} at once
   * for an unknown key or a bad value, naming key, value, range and source. Not for use by several
   * threads.
   */
  public static final class Builder {

    private final ConfigSources sources = new ConfigSources(CoreKeys.all());
    private final Map<Integer, String> peers = new TreeMap<>();
    private MessageTypes types = NO_TYPES;

    private Builder() {}

    /** Sets {@code node.id}. */
    public Builder id(int id) {
      return set(CoreKeys.NODE_ID.name(), Integer.toString(id));
    }

    /** Sets {@code cluster}. */
    public Builder cluster(String name) {
      return set(CoreKeys.CLUSTER.name(), name);
    }

    /** Sets {@code transport}. */
    public Builder transport(String name) {
      return set(CoreKeys.TRANSPORT.name(), name);
    }

    /** Sets {@code listen}. */
    public Builder listen(String hostAndPort) {
      return set(CoreKeys.LISTEN.name(), hostAndPort);
    }

    /** Sets the type table. */
    public Builder types(MessageTypes newTypes) {
      types = newTypes;
      return this;
    }

    /**
     * Adds a peer.
     *
     * @param address {@code host:port}, {@code [ipv6]:port}, or empty for shared memory only
     */
    public Builder peer(int id, String address) {
      peers.put(PeerList.checkedId(id), PeerList.checkedAddress(id, address));
      return this;
    }

    /** Sets {@code cluster.key.file}. */
    public Builder clusterKeyFile(Path file) {
      return set(CoreKeys.CLUSTER_KEY_FILE.name(), file.toString());
    }

    /** Sets {@code lane.bytes}. */
    public Builder laneBytes(long bytes) {
      return set(CoreKeys.LANE_BYTES.name(), Long.toString(bytes));
    }

    /** Sets {@code request.timeout}. */
    public Builder requestTimeout(Duration timeout) {
      return set(CoreKeys.REQUEST_TIMEOUT.name(), timeout.toNanos() + "ns");
    }

    /** Sets {@code idle.spin}. */
    public Builder idleSpin(Duration spin) {
      return set(CoreKeys.IDLE_SPIN.name(), spin.toNanos() + "ns");
    }

    /** Sets {@code idle.looks}. */
    public Builder idleLooks(int looks) {
      return set(CoreKeys.IDLE_LOOKS.name(), Integer.toString(looks));
    }

    /** Sets any key by name, in the form it has in a properties file. */
    public Builder set(String key, String value) {
      sources.set(key, value);
      return this;
    }

    /**
     * Sets a key for want of anything else: system properties, the environment, files and {@link
     * #set} go before it. Of a transport that is not there it is left out.
     */
    public Builder setDefault(String key, String value) {
      sources.setDefault(key, value);
      return this;
    }

    /**
     * Reads a properties file, UTF-8; of several the last one read goes first. One that holds a
     * secret must be private to its owner.
     *
     * @throws IOException if the file cannot be read
     */
    public Builder load(Path file) throws IOException {
      sources.load(file);
      return this;
    }

    /**
     * Reads system properties {@code verbena.<key>} and environment variables {@code
     * VERBENA_<KEY>}, upper case, with underscores for dots. Names that are not even nearly a key
     * are left to whom they belong.
     */
    public Builder loadSystem() {
      sources.loadSystem(System.getProperties(), System.getenv());
      return this;
    }

    /**
     * Makes the configuration.
     *
     * @throws ConfigException if something is missing or does not fit together
     */
    public NodeConfig build() {
      return new NodeConfig(this);
    }
  }
}
