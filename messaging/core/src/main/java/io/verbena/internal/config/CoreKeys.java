// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import io.verbena.ConfigException;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.ConfigKey.Kind;
import io.verbena.transport.TransportProvider;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Every configuration key of the core; docs/configuration.md is made from this. */
public final class CoreKeys {

  /** The node's id. */
  public static final ConfigKey NODE_ID =
      number("node.id", "", "0..65535", "This node's id; every node of a cluster has its own.");

  /** The cluster's name. */
  public static final ConfigKey CLUSTER =
      new ConfigKey(
          "cluster",
          Kind.TEXT,
          "default",
          "1 to 32 of a-z 0-9 -",
          "The cluster's name; nodes of different clusters refuse each other.");

  /** The cluster key. */
  public static final ConfigKey CLUSTER_KEY =
      new ConfigKey(
          "cluster.key",
          Kind.SECRET,
          "",
          "at least 16 bytes",
          "The shared secret; once it is set every link proves it in both directions.");

  /** Where the cluster key is read from. */
  public static final ConfigKey CLUSTER_KEY_FILE =
      new ConfigKey(
          "cluster.key.file",
          Kind.TEXT,
          "",
          "a file only its owner can read",
          "A file whose bytes, without white space at the end, are the cluster key.");

  /** Whether links must be encrypted. */
  public static final ConfigKey ENCRYPTION =
      new ConfigKey(
          "encryption",
          Kind.TEXT,
          "optional",
          "optional or required",
          "required: nothing leaves this host that is not encrypted; a transport between hosts that"
              + " does not encrypt is not used. optional leaves the choice to 'transport'.");

  /** The node's certificate. */
  public static final ConfigKey TLS_CERTIFICATE =
      tls(
          "tls.certificate",
          "a file: PEM, or PKCS#12 with the key",
          "This node's certificate, then those that lead to a trusted one; tcp encrypts once it is"
              + " set. It must have the name verbena://CLUSTER/ID (docs/configuration.md#encryption).");

  /** The key of the node's certificate. */
  public static final ConfigKey TLS_KEY =
      tls(
          "tls.key",
          "a file only its owner can read: PEM, PKCS#8",
          "The private key of tls.certificate; empty where that is PKCS#12.");

  /** Whose certificates are trusted. */
  public static final ConfigKey TLS_CA =
      tls("tls.ca", "a file: PEM", "The certificates of the authorities whose nodes are trusted.");

  /** What opens the node's certificate. */
  public static final ConfigKey TLS_PASSWORD_FILE =
      tls(
          "tls.password.file",
          "a file only its owner can read",
          "A file whose bytes, without white space at the end, are the password of a PKCS#12.");

  /** The peers. */
  public static final ConfigKey PEERS =
      new ConfigKey(
          "peers",
          Kind.TEXT,
          "",
          "id=host:port,id=[ipv6]:port,id=",
          "The other nodes; one without address is reached over shared memory only.");

  /** Where TCP listens. */
  public static final ConfigKey LISTEN =
      new ConfigKey(
          "listen",
          Kind.TEXT,
          "",
          "host:port, [ipv6]:port, or empty",
          "Where links are accepted over a network; port 0 takes any, empty accepts none.");

  /** The transport. */
  public static final ConfigKey TRANSPORT =
      new ConfigKey(
          "transport",
          Kind.TEXT,
          "auto",
          "auto, loopback, or a transport's name",
          "How bytes move: auto takes shared memory where both nodes share a host, else verbs where"
              + " both have a device of the kernel or name one (rdma.device), else TCP.");

  /** A lane's size. */
  public static final ConfigKey LANE_BYTES =
      new ConfigKey(
          "lane.bytes",
          Kind.BYTES,
          "1M",
          "64K..1G, a power of two",
          "The largest ring of a lane. A connection has two lanes in either direction, for messages"
              + " and for answers, and one more per exclusive lane. 256K is enough for small"
              + " messages, 4M for bulk. But for rdma and exclusive lanes, lanes begin with 8K and"
              + " grow while they are full.");

  /** How long a lane that has grown stays large. */
  public static final ConfigKey LANE_SHRINK_AFTER =
      duration(
          "lane.shrink.after",
          "10s",
          "10ms..24h",
          "How long nothing is sent on a lane that has grown before its memory is given back.");

  /** The largest message. */
  public static final ConfigKey MESSAGE_MAX_BYTES =
      new ConfigKey(
          "message.max.bytes",
          Kind.BYTES,
          "64M",
          "1K..1G",
          "The largest message; those above a quarter of a lane travel in fragments.");

  /** The backlog's size. */
  public static final ConfigKey OVERFLOW_BYTES =
      new ConfigKey(
          "overflow.bytes",
          Kind.BYTES,
          "16M",
          "64K..1G",
          "What inline handlers may queue to one peer while the lane is full, before their sends"
              + " fail.");

  /** The handler queue. */
  public static final ConfigKey POOL_QUEUE_MESSAGES =
      number(
          "pool.queue.messages",
          "4096",
          "1..1000000",
          "How many messages of one peer may wait for pool or virtual-thread handlers before its"
              + " lanes are read no further.");

  /** The handler queue in bytes. */
  public static final ConfigKey POOL_QUEUE_BYTES =
      new ConfigKey(
          "pool.queue.bytes",
          Kind.BYTES,
          "64M",
          "64K..1G",
          "As pool.queue.messages, in bytes: 256 and its length for each message. As much again may"
              + " wait of what the peer's handlers ask; more of that is refused. One message may"
              + " always wait, however large.");

  /** The time-out of asynchronous requests. */
  public static final ConfigKey REQUEST_TIMEOUT =
      duration("request.timeout", "10s", "1ms..1h", "When a request without an answer fails.");

  /** How many requests. */
  public static final ConfigKey REQUESTS_MAX =
      number(
          "requests.max",
          "16384",
          "64..1048576, a power of two",
          "How many requests may be open at once; each costs 8 bytes, open or not.");

  /** The time to connect. */
  public static final ConfigKey CONNECT_TIMEOUT =
      duration(
          "connect.timeout",
          "5s",
          "10ms..10m",
          "How long a first send waits for its connection; for a dial that hangs, as in a name"
              + " service, it waits up to a second more.");

  /** The time to resume. */
  public static final ConfigKey LINK_TIMEOUT =
      duration(
          "link.timeout",
          "10s",
          "10ms..1h",
          "How long a broken link may take to be made again before the peer counts as lost.");

  /** The spinning time. */
  public static final ConfigKey IDLE_SPIN =
      duration(
          "idle.spin",
          "20us",
          "0us..10s",
          "How long a receiving thread spins before it blocks; longer costs a core and saves the"
              + " wake-up. While blocking turns out short it spins longer, up to 16 times this,"
              + " or 1 ms.");

  /** The looks before others may have the core. */
  public static final ConfigKey IDLE_LOOKS =
      number(
          "idle.looks",
          "32",
          "0..1000000",
          "How often a receiving thread that spins looks before it lets other threads run between"
              + " looks; 0 is best where threads that wait for each other outnumber processors.");

  /** How many connections. */
  public static final ConfigKey CONNECTIONS_MAX =
      number(
          "connections.max",
          "1024",
          "1..65535",
          "Above this many connections idle ones are closed, the least recently used first; they"
              + " come back by themselves.");

  /** How many lanes. */
  public static final ConfigKey LANES_MAX =
      number("lanes.max", "64", "1..65535", "Lanes of one connection in either direction.");

  /** The grace of closing. */
  public static final ConfigKey CLOSE_GRACE =
      duration("close.grace", "2s", "0ms..10m", "How long closing waits for peers to consume.");

  /** Whether other processes of the user may see how the node fares. */
  public static final ConfigKey STATUS =
      new ConfigKey(
          "status",
          Kind.TEXT,
          "on",
          "on|off",
          "on: once a second the node writes its counters to a file that only its user can read, for"
              + " 'verbena top'.");

  /** Where that file lies. */
  public static final ConfigKey STATUS_DIRECTORY =
      new ConfigKey(
          "status.directory",
          Kind.TEXT,
          "",
          "a folder on tmpfs",
          "Where the file of 'status' lies; empty means /dev/shm/verbena-UID.nodes.");

  /** The value of {@link #ENCRYPTION} that forbids what does not encrypt. */
  public static final String ENCRYPTION_REQUIRED = "required";

  private static final Pattern CLUSTER_NAME = Pattern.compile("[a-z0-9-]{1,32}");
  private static final Pattern TRANSPORT_NAME = Pattern.compile("[a-z0-9-]{1,32}");

  private static final List<ConfigKey> ALL =
      List.of(
          NODE_ID,
          CLUSTER,
          CLUSTER_KEY,
          CLUSTER_KEY_FILE,
          ENCRYPTION,
          TLS_CERTIFICATE,
          TLS_KEY,
          TLS_CA,
          TLS_PASSWORD_FILE,
          PEERS,
          LISTEN,
          TRANSPORT,
          LANE_BYTES,
          LANE_SHRINK_AFTER,
          MESSAGE_MAX_BYTES,
          OVERFLOW_BYTES,
          POOL_QUEUE_MESSAGES,
          POOL_QUEUE_BYTES,
          REQUEST_TIMEOUT,
          REQUESTS_MAX,
          CONNECT_TIMEOUT,
          LINK_TIMEOUT,
          IDLE_SPIN,
          IDLE_LOOKS,
          CONNECTIONS_MAX,
          LANES_MAX,
          CLOSE_GRACE,
          STATUS,
          STATUS_DIRECTORY);

  private CoreKeys() {}

  /** The core's keys, in the order to explain them in. */
  public static List<ConfigKey> list() {
    return ALL;
  }

  /**
   * The core's keys and those of every transport found, by name.
   *
   * @throws ConfigException if a transport's keys cannot be used
   */
  public static Map<String, ConfigKey> all() {
    return with(ServiceLoader.load(TransportProvider.class, CoreKeys.class.getClassLoader()));
  }

  static Map<String, ConfigKey> with(Iterable<TransportProvider> providers) {
    Map<String, ConfigKey> keys = new TreeMap<>();
    ALL.forEach(key -> keys.put(key.name(), key));
    try {
      providers.forEach(provider -> addKeys(provider, keys));
    } catch (ServiceConfigurationError e) {
      throw new ConfigException("a transport cannot be loaded: " + e.getMessage());
    }
    return keys;
  }

  private static void addKeys(TransportProvider provider, Map<String, ConfigKey> keys) {
    for (ConfigKey key : provider.keys()) {
      String from = "the defaults of transport " + provider.name();
      if (!key.name().startsWith(provider.name() + ".")) {
        throw new ConfigException(
            "key '" + key.name() + "' from " + from + " does not start with the transport's name");
      }
      if (!key.defaultValue().isEmpty()) {
        Values.check(key, key.defaultValue(), from);
      }
      if (keys.put(key.name(), key) != null) {
        throw new ConfigException("key '" + key.name() + "' from " + from + " stands there twice");
      }
    }
  }

  /** Checks what only the core knows about its texts; a transport checks its own. */
  static void checkText(ConfigKey key, String value, String source) {
    if (key.equals(PEERS)) {
      checkPeers(value, source);
      return;
    }
    if (!isGoodText(key, value)) {
      throw Values.bad(key, value, source);
    }
  }

  private static boolean isGoodText(ConfigKey key, String value) {
    if (key.equals(CLUSTER)) {
      return CLUSTER_NAME.matcher(value).matches();
    }
    if (key.equals(TRANSPORT)) {
      return TRANSPORT_NAME.matcher(value).matches();
    }
    if (key.equals(STATUS)) {
      return value.equals("on") || value.equals("off");
    }
    if (key.equals(ENCRYPTION)) {
      return value.equals("optional") || value.equals(ENCRYPTION_REQUIRED);
    }
    if (key.equals(LISTEN)) {
      return value.isEmpty() || Addresses.canBeListenedOn(value);
    }
    if (key.equals(CLUSTER_KEY)) {
      return value.isEmpty() || KeyFile.isLongEnough(value);
    }
    return true;
  }

  private static void checkPeers(String value, String source) {
    try {
      PeerList.parse(value);
    } catch (ConfigException e) {
      throw new ConfigException("peers from " + source + ": " + e.getMessage());
    }
  }

  private static ConfigKey tls(String name, String range, String what) {
    return new ConfigKey(name, Kind.TEXT, "", range, what);
  }

  private static ConfigKey number(String name, String byDefault, String range, String what) {
    return new ConfigKey(name, Kind.NUMBER, byDefault, range, what);
  }

  private static ConfigKey duration(String name, String byDefault, String range, String what) {
    return new ConfigKey(name, Kind.DURATION, byDefault, range, what);
  }
}
