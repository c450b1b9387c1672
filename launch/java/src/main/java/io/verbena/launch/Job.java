// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.fabric.Fabric;
import io.verbena.fabric.FabricBuilder;
import io.verbena.natives.Calls;
import io.verbena.natives.NativeAccess;
import io.verbena.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/**
 * This process as one of the ranks of a job: processes that {@code verbena-run} has started
 * together, or somebody else whose ways are known ({@code docs/launch.md}). A program that nobody
 * has started so is a job of one rank.
 *
 * <pre>{@code
 * try (Job job = Job.open(); Node node = job.node(NodeConfig.builder().types(types))) {
 *   node.send((job.rank() + 1) % job.size(), new Hello());
 * }
 * try (Job job = Job.open(); Fabric fabric = job.fabric(more -> more.channels(8))) {
 *   ChannelWriter writer = fabric.openWriter((job.rank() + 1) % job.size(), 0, timeout);
 * }
 * }</pre>
 *
 * <p>Any thread may call anything at any time, but {@link #nextEnd}, which one at a time calls.
 * Waits are not interruptible; they end with their time.
 */
public final class Job implements AutoCloseable {

  /** How many bytes a rank may publish. */
  public static final int MOST_BYTES = 496;

  private static final Duration DEFAULT_SPIN = NodeConfig.builder().id(0).build().idleSpin();

  /** Some 30 µs: a message there and back takes one. */
  private static final String LOOKS_WITH_A_PROCESSOR = "1000";

  /** How long a thread looks that yields between looks. */
  private static final Duration YIELDING = Duration.ofMillis(1);

  /** The most that the keys may be. */
  private static final Duration MOST_CONNECTING = Duration.ofMinutes(10);

  private static final Duration MOST_HANDSHAKE = Duration.ofMinutes(1);

  private static final String THIS_HOST_ALONE = "127.0.0.1";

  /** Nodes read the file that it names by themselves. */
  private static final String KEY_FILE = "VERBENA_CLUSTER_KEY_FILE";

  private final NativeJob job;
  private final List<FailedRanks> watchers = new CopyOnWriteArrayList<>();
  private final AtomicBoolean isClosed = new AtomicBoolean();

  private Job(NativeJob job) {
    this.job = job;
  }

  /**
   * Finds this process' place in its job, as its environment says.
   *
   * @throws JobException if that is no place, the job's key may be read by others, or the native
   *     library cannot be used here
   */
  public static Job open() {
    String why = unusableBecause();
    if (!why.isEmpty()) {
      throw new JobException(why);
    }
    return new Job(NativeJob.open());
  }

  private static String unusableBecause() {
    String denied = NativeAccess.deniedBecause(Job.class, () -> MemorySegment.NULL.reinterpret(0));
    return denied.isEmpty() ? NativeLibrary.unusableBecause() : denied;
  }

  /**
   * The rank goes on, and what it has published stays. Where no {@code verbena-run} sees the
   * process itself, this is the rank's end to the others; rank 0 stays in here until all know each
   * other. Close the rank's nodes and fabrics before. Calls under way end as they would have; the
   * job ends with the last of them.
   */
  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)) {
      job.release();
      watchers.forEach(FailedRanks::end);
    }
  }

  /** 0 to {@code size() - 1}. */
  public int rank() {
    return number(Functions.RANK);
  }

  /** How many ranks the job has. */
  public int size() {
    return number(Functions.SIZE);
  }

  /** The number among the ranks of this host. */
  public int localRank() {
    return number(Functions.LOCAL_RANK);
  }

  /** How many ranks this host has. */
  public int localSize() {
    return number(Functions.LOCAL_SIZE);
  }

  /** Whether this host has more ranks than processors: who waits had better yield than spin. */
  public boolean isOversubscribed() {
    return number(Functions.IS_OVERSUBSCRIBED) != 0;
  }

  /** The job's name; no other job has it. */
  public String id() {
    return text(Functions.ID);
  }

  /** The address of this host to listen at, so that all ranks get there. */
  public String hostAddress() {
    return text(Functions.HOST_ADDRESS);
  }

  /** The job's secret, which nodes take by themselves; empty for a program that is alone. */
  public byte[] key() {
    try (NativeJob.User user = user();
        Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(JAVA_LONG);
      MemorySegment key = (MemorySegment) Calls.call(Functions.KEY, user.pointer(), bytes);
      return key.reinterpret(bytes.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
    }
  }

  /**
   * Tells all ranks how this one is reached; once.
   *
   * @param address at most {@link #MOST_BYTES}
   */
  public void publish(byte[] address) {
    try (NativeJob.User user = user();
        Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocateFrom(JAVA_BYTE, address);
      Functions.check(Functions.PUBLISH, user.pointer(), copy, (long) address.length);
    }
  }

  /**
   * What a rank has published; waits until it has.
   *
   * @throws JobException if the time is over, or the rank has ended without
   */
  public byte[] address(int rank, Duration timeout) {
    try (NativeJob.User user = user();
        Arena arena = Arena.ofConfined()) {
      MemorySegment into = arena.allocate(MOST_BYTES);
      MemorySegment bytes = arena.allocate(JAVA_LONG);
      long room = into.byteSize();
      Functions.check(
          Functions.ADDRESS_OF, user.pointer(), rank, Calls.nanos(timeout), into, room, bytes);
      return into.asSlice(0, bytes.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
    }
  }

  /**
   * Waits until every rank has published.
   *
   * @throws JobException if the time is over, or one has ended without
   */
  public void awaitAll(Duration timeout) {
    try (NativeJob.User user = user()) {
      Functions.check(Functions.AWAIT_ALL, user.pointer(), Calls.nanos(timeout));
    }
  }

  /** The next rank that has ended; each is told once. Empty if there is none within the time. */
  public Optional<RankEnd> nextEnd(Duration timeout) {
    try (NativeJob.User user = user()) {
      return user.nextEnd(timeout);
    }
  }

  // ---------------------------------------------------------------- nodes that send messages

  /**
   * A node whose number is the rank, in a cluster that has the job's name and key, with handlers
   * and listeners still to come; then {@link #start(Node)}. It listens at {@link #hostAddress}, at
   * any port, unless {@code listen} says where in the environment. Where the host {@linkplain
   * #isOversubscribed has more ranks than processors}, and {@code idle.spin} has its default,
   * receiving threads let others run between looks, from the first one on, and do so for a
   * millisecond before they sleep. Connections are waited for as long as the job's starting may
   * take, and their handshakes for up to a minute of it, unless {@code connect.timeout} and the
   * transports' {@code handshake.timeout} are set.
   *
   * @param config all but number, cluster and address; the environment counts, too
   */
  public Node build(NodeConfig.Builder config) {
    config.id(rank()).cluster(id()).listen(withPort(hostAddress(), 0));
    byte[] key = key();
    if (key.length > 0 && !isSet(KEY_FILE)) {
      config.set("cluster.key", new String(key, StandardCharsets.UTF_8));
    }
    Duration patience = Addresses.patience(System.getenv(Addresses.START_TIMEOUT));
    return Node.build(complete(config.loadSystem(), isOversubscribed(), patience));
  }

  /**
   * Threads that spin may keep a processor from those they wait for; those that yield take none
   * that anybody wants, and save the sleep and the waking. Where each rank has a processor, the
   * opposite: two that yield to each other may stay on one, since neither ever waits for it for as
   * long as the kernel wants to see before it moves one. A rank that has told where it is lives
   * until the job says otherwise, however slow its host: a connection to it is worth waiting for.
   */
  static NodeConfig complete(
      NodeConfig.Builder config, boolean isOversubscribed, Duration patience) {
    config.setDefault("connect.timeout", millis(patience, MOST_CONNECTING));
    for (String transport : List.of("shm", "tcp", "rdma")) {
      config.setDefault(transport + ".handshake.timeout", millis(patience, MOST_HANDSHAKE));
    }
    if (!isOversubscribed) {
      config.setDefault("idle.looks", LOOKS_WITH_A_PROCESSOR);
    } else if (config.build().idleSpin().equals(DEFAULT_SPIN)) {
      config.idleLooks(0).idleSpin(YIELDING);
    }
    return config.build();
  }

  private static String millis(Duration patience, Duration most) {
    return (patience.compareTo(most) < 0 ? patience : most).toMillis() + "ms";
  }

  /**
   * Starts a node of {@link #build}, and waits until it knows where all others are. This publishes
   * its address: a rank with a fabric as well starts {@linkplain #start(Node, Fabric) both}. Others
   * are waited for as long as the job's starting may take: {@code VERBENA_JOB_START_TIMEOUT}
   * seconds, which {@code verbena-run} sets, or 60. As soon as the job says that a rank has failed
   * the node {@linkplain Node#giveUp gives it up}, for a reason that names the rank.
   *
   * @return the node, which was closed if this fails
   */
  public Node start(Node node) {
    try {
      node.start();
      new Addresses().add(Addresses.NODE, node.address()).exchange(this);
      learn(node);
      return node;
    } catch (RuntimeException e) {
      node.close(Duration.ZERO);
      throw e;
    }
  }

  /** {@link #build} and {@link #start(Node)}, for a program without handlers. */
  public Node node(NodeConfig.Builder config) {
    return start(build(config));
  }

  private void learn(Node node) {
    Addresses.forEachOther(this, Addresses.NODE, node::addPeer);
    watchers.add(FailedRanks.watch(job, node));
  }

  // ---------------------------------------------------------------- the fabric

  /**
   * A fabric whose node is this rank, in a cluster that has the job's name and key, at {@link
   * #hostAddress}; of a job of several hosts softnic listens there, too. Where the host {@linkplain
   * #isOversubscribed has more ranks than processors} it sleeps at once. Open it, then {@link
   * #start(Fabric)}.
   */
  public FabricBuilder fabricBuilder() {
    String host = hostAddress();
    FabricBuilder builder = Fabric.builder(rank()).cluster(id()).listen(withPort(host, 0));
    byte[] key = key();
    if (key.length > 0) {
      builder.clusterKey(key);
    }
    if (isOversubscribed()) {
      builder.sleepAtOnce();
    }
    boolean isElsewhere = !host.equals(THIS_HOST_ALONE);
    return isElsewhere && !isSet("VERBENA_SOFTNIC_TCP") ? builder.softnicListen(host) : builder;
  }

  /**
   * Waits until a fabric of {@link #fabricBuilder} knows where all others are: links and channels
   * are made by rank from here on. As soon as the job says that a rank has failed the fabric takes
   * it for dead: its links and channels are lost, with a reason that names the rank. A reader that
   * no writer has found yet hears nothing: there is {@link #nextEnd}.
   *
   * @return the fabric, which was closed if this fails
   */
  public Fabric start(Fabric fabric) {
    try {
      new Addresses().add(Addresses.FABRIC, fabric.address()).exchange(this);
      learn(fabric);
      return fabric;
    } catch (RuntimeException e) {
      fabric.close();
      throw e;
    }
  }

  /** A fabric with more options, opened and {@linkplain #start(Fabric) started}. */
  public Fabric fabric(UnaryOperator<FabricBuilder> more) {
    return start(more.apply(fabricBuilder()).open());
  }

  /** A fabric with the defaults. */
  public Fabric fabric() {
    return fabric(UnaryOperator.identity());
  }

  /** Starts both, where all ranks have both. If this fails both were closed. */
  public void start(Node node, Fabric fabric) {
    try {
      node.start();
      new Addresses()
          .add(Addresses.NODE, node.address())
          .add(Addresses.FABRIC, fabric.address())
          .exchange(this);
      learn(node);
      learn(fabric);
    } catch (RuntimeException e) {
      node.close(Duration.ZERO);
      fabric.close();
      throw e;
    }
  }

  private void learn(Fabric fabric) {
    Addresses.forEachOther(this, Addresses.FABRIC, fabric::addPeer);
    watchers.add(FailedRanks.watch(job, fabric));
  }

  /** An empty variable is none, as for the native part. */
  private static boolean isSet(String variable) {
    String value = System.getenv(variable);
    return value != null && !value.isEmpty();
  }

  private static String withPort(String address, int port) {
    return (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
  }

  private NativeJob.User user() {
    if (isClosed.get()) {
      throw new IllegalStateException("the job is closed");
    }
    return job.use();
  }

  private int number(MethodHandle function) {
    try (NativeJob.User user = user()) {
      return (int) Calls.call(function, user.pointer());
    }
  }

  private String text(MethodHandle function) {
    try (NativeJob.User user = user()) {
      return Objects.requireNonNull(Calls.text(function, user.pointer()));
    }
  }
}
