// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.Calls;
import io.verbena.natives.FabricStructs;
import io.verbena.natives.NativeAccess;
import io.verbena.natives.NativeLibrary;
import io.verbena.natives.SharedEndpoints;
import io.verbena.natives.Struct;
import io.verbena.natives.Structs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** How a {@link Fabric} is to be; all but the node's id has a default. Of one thread. */
public final class FabricBuilder {

  /** As of {@code cluster.key} of a node and of files with keys. */
  private static final int FEWEST_KEY_BYTES = 16;

  private final int nodeId;
  private String cluster = "default";
  private byte[] clusterKey = {};
  private String listen = "0.0.0.0:0";
  private String device = "";
  private String softnicListen = "";
  private boolean deviceOnly;
  private long life;
  private IntFunction<@Nullable String> addresses = peer -> null;
  private int maxLinks;
  private int operationsPerLink;
  private int signalsPerLink;
  private int channels;
  private boolean sleepsAtOnce;
  private Duration heartbeat = Duration.ZERO;
  private Duration deadAfter = Duration.ZERO;

  FabricBuilder(int nodeId) {
    this.nodeId = Limits.ownNode(nodeId);
  }

  /**
   * Nodes of other clusters are refused; {@code default} if not set.
   *
   * @throws IllegalArgumentException for an empty name
   */
  public FabricBuilder cluster(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a cluster's name has at least 1 character, not 0");
    }
    cluster = name;
    return this;
  }

  /**
   * The cluster's secret: who does not know it is refused. If this is not called there is none, and
   * whoever reaches the node may be linked with it.
   *
   * @param key at least 16 bytes, of which a copy is taken
   * @throws IllegalArgumentException if there are fewer, or none, as of a variable that is empty
   */
  public FabricBuilder clusterKey(byte[] key) {
    if (key.length < FEWEST_KEY_BYTES) {
      throw new IllegalArgumentException(
          "the cluster key has "
              + key.length
              + " bytes; it needs at least "
              + FEWEST_KEY_BYTES
              + ". Without a key do not call clusterKey()");
    }
    clusterKey = key.clone();
    return this;
  }

  /** Where peers reach the node, {@code host:port} (UDP), port 0 for any; {@code 0.0.0.0:0}. */
  public FabricBuilder listen(String address) {
    listen = address;
    return this;
  }

  /**
   * A verbs device's name, or {@code softnic}. If not set, or empty: the fastest of the kernel,
   * else softnic.
   */
  public FabricBuilder device(String name) {
    device = name;
    return this;
  }

  /**
   * Where softnic is reached from other hosts, over TCP, as the key {@code rdma.softnic.listen} of
   * a node says it; this host alone if not set, or empty.
   */
  public FabricBuilder softnicListen(String address) {
    softnicListen = address;
    return this;
  }

  /**
   * Nothing goes by memory that both processes map, neither operations ({@link Link#way}) nor
   * channels ({@link ChannelWriter#isShared}).
   */
  public FabricBuilder deviceOnly() {
    deviceOnly = true;
    return this;
  }

  /**
   * Which life of the node this is, not 0: keys of another one are dead. A random one if not set.
   * One of a node whose transport over verbs has made {@linkplain #reserve room} shares that one's
   * device, address and sessions, and of what is set here takes the limits of links alone.
   */
  public FabricBuilder life(long incarnation) {
    if (incarnation == 0) {
      throw new IllegalArgumentException("a life of a node has a number that is not 0");
    }
    life = incarnation;
    return this;
  }

  /**
   * Asked for the address of a peer when a link with it is wanted and there is none; null or empty:
   * it is not known. What {@link Fabric#addPeer} has said counts where this says null.
   */
  public FabricBuilder addresses(IntFunction<@Nullable String> asked) {
    addresses = asked;
    return this;
  }

  /** How many peers may be linked at once; 256. */
  public FabricBuilder maxLinks(int count) {
    maxLinks = Limits.atLeast("maxLinks", count, 1);
    return this;
  }

  /** How many operations of one link may be under way; 64. */
  public FabricBuilder operationsPerLink(int count) {
    operationsPerLink = Limits.atLeast("operationsPerLink", count, 1);
    return this;
  }

  /** How many signals one link may bring that nobody has taken yet; 32. */
  public FabricBuilder signalsPerLink(int count) {
    signalsPerLink = Limits.atLeast("signalsPerLink", count, 1);
    return this;
  }

  /**
   * How many ends of {@link Channel channels} may be linked at once, besides {@link #maxLinks}; if
   * this is not called there are no channels.
   *
   * <p><b>What counts.</b> A channel takes a place at each of its two nodes, a {@link Connection}
   * two. A reader that no writer has found takes none, but each should have one to come. An end
   * that was closed keeps its place until its link has gone, shortly after. Where this node has no
   * place left {@link Fabric#openWriter} fails at once; where the other one has none, when the time
   * is over; both say that all places are in use.
   *
   * <p><b>What they cost.</b> When the fabric opens, room in the device's queues for {@link
   * #operationsPerLink} + 1 completions and up to 67 receives for each, linked or not: over softnic
   * a good KiB. A device has places for so many links, {@link #maxLinks} among them: softnic for
   * 4080. What an end takes when it is there is its ring, as large as its opener says, and a queue
   * pair: over softnic some 65 KiB.
   *
   * @throws IllegalArgumentException for less than 1; that a device has fewer places {@link #open}
   *     says
   */
  public FabricBuilder channels(int count) {
    channels = Limits.atLeast("channels", count, 1);
    return this;
  }

  /**
   * Whoever waits at a channel sleeps at once instead of looking busily for a while: where there
   * are fewer processors than threads that would. A wake-up costs microseconds.
   */
  public FabricBuilder sleepAtOnce() {
    sleepsAtOnce = true;
    return this;
  }

  /** A silent peer is asked for a sign of life after this; half a second. */
  public FabricBuilder heartbeat(Duration time) {
    heartbeat = Limits.positive("heartbeat", time);
    return this;
  }

  /** A silent peer is taken for dead after this; 2 seconds. */
  public FabricBuilder deadAfter(Duration time) {
    deadAfter = Limits.positive("deadAfter", time);
    return this;
  }

  /**
   * Has the transport over verbs of a node of this {@link #life}, if one is opened in this process
   * from here on, make room for the fabric, with the limits that are set here. Whoever has called
   * it calls {@link #forget} when the fabric is open, or is not to be opened.
   */
  public FabricBuilder reserve() {
    if (life == 0) {
      throw new IllegalStateException("room is made for a life of a node: call life() first");
    }
    SharedEndpoints.wish(life, toStruct(Arena.ofAuto()));
    return this;
  }

  /**
   * Whether a fabric of this {@linkplain #life life} shares the device of the node's transport over
   * verbs: the room that was {@linkplain #reserve reserved} was made.
   */
  public boolean isShared() {
    return SharedEndpoints.of(life) != null;
  }

  /** The opposite of {@link #reserve}. */
  public void forget() {
    SharedEndpoints.forget(life);
  }

  private static String unusableBecause() {
    String denied =
        NativeAccess.deniedBecause(FabricBuilder.class, () -> MemorySegment.NULL.reinterpret(0));
    return denied.isEmpty() ? NativeLibrary.unusableBecause() : denied;
  }

  /**
   * Opens it.
   *
   * @throws FabricException if it cannot be, with the library's reason
   * @throws IllegalArgumentException for what no node can be
   */
  public Fabric open() {
    String why = unusableBecause();
    if (!why.isEmpty()) {
      throw new FabricException(why);
    }
    MemorySegment shared = SharedEndpoints.of(life);
    if (shared != null) {
      return Fabric.shared(nodeId, shared, addresses);
    }
    try (Arena arena = Arena.ofConfined()) {
      return Fabric.open(nodeId, toStruct(arena), addresses);
    }
  }

  private Struct toStruct(Arena arena) {
    Struct struct = Struct.allocate(FabricStructs.OPTIONS, arena);
    struct.setInt("node_id", nodeId);
    struct.setAddress("cluster", arena.allocateFrom(cluster));
    if (clusterKey.length > 0) {
      struct.setAddress("key", arena.allocateFrom(ValueLayout.JAVA_BYTE, clusterKey));
      struct.setLong("key_bytes", clusterKey.length);
    }
    struct.setAddress("listen", arena.allocateFrom(listen));
    struct.setAddress("device", wishes(arena));
    struct.setInt("max_links", maxLinks);
    struct.setInt("operations", operationsPerLink);
    struct.setInt("signals", signalsPerLink);
    struct.setLong("heartbeat_ns", Calls.nanos(heartbeat));
    struct.setLong("dead_after_ns", Calls.nanos(deadAfter));
    struct.setInt("channels", channels);
    struct.setInt("device_only", deviceOnly ? 1 : 0);
    struct.setLong("incarnation", life);
    struct.setInt("sleeps_at_once", sleepsAtOnce ? 1 : 0);
    return struct;
  }

  private MemorySegment wishes(Arena arena) {
    Struct wishes = Struct.allocate(Structs.WISHES, arena);
    wishes.setAddress("device", arena.allocateFrom(device));
    wishes.setInt("gid_index", -1);
    wishes.setInt("pkey", -1);
    wishes.setInt("service_level", -1);
    if (!softnicListen.isEmpty()) {
      wishes.setAddress("listen", arena.allocateFrom(softnicListen));
    }
    return wishes.memory();
  }
}
