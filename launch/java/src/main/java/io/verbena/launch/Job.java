// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.natives.Calls;
import io.verbena.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * This process as one of the ranks of a job: processes that {@code verbena-run} has started
 * together, or somebody else whose ways are known ({@code docs/launch.md}). A program that nobody
 * has started so is a job of one rank.
 *
 * <pre>{@code
 * try (Job job = Job.open(); Node node = job.node(NodeConfig.builder().types(types))) {
 *   node.send((job.rank() + 1) % job.size(), new Hello());
 * }
 * }</pre>
 *
 * <p>Any thread may call anything at any time, but {@link #nextEnd}, which one at a time calls, and
 * {@link #close}, when no other call is going on. Waits are not interruptible; they end with their
 * time.
 */
public final class Job implements AutoCloseable {

  /** How many bytes a rank may publish. */
  public static final int MOST_BYTES = 496;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Nodes read the file that it names by themselves. */
  private static final String KEY_FILE = "VERBENA_CLUSTER_KEY_FILE";

  private static final StructLayout END =
      MemoryLayout.structLayout(
          JAVA_INT.withName("struct_bytes"),
          JAVA_INT.withName("rank"),
          JAVA_INT.withName("status"),
          JAVA_INT.withName("reserved"));

  private MemorySegment job;
  private volatile String listen = "";

  private Job(MemorySegment job) {
    this.job = job;
  }

  /**
   * Finds this process' place in its job, as its environment says.
   *
   * @throws JobException if that is no place, the job's key may be read by others, or the native
   *     library cannot be used here
   */
  public static Job open() {
    String why = NativeLibrary.unusableBecause();
    if (!why.isEmpty()) {
      throw new JobException(why);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment opened = arena.allocate(ADDRESS);
      Functions.check(Functions.OPEN, opened);
      return new Job(opened.get(ADDRESS, 0));
    }
  }

  /**
   * The rank goes on, and what it has published stays. Where no {@code verbena-run} sees the
   * process itself, this is the rank's end to the others; rank 0 stays in here until all know each
   * other.
   */
  @Override
  public void close() {
    Calls.call(Functions.FREE, job);
    job = MemorySegment.NULL;
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
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(JAVA_LONG);
      MemorySegment key = (MemorySegment) Calls.call(Functions.KEY, opened(), bytes);
      return key.reinterpret(bytes.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
    }
  }

  /**
   * Tells all ranks how this one is reached; once.
   *
   * @param address at most {@link #MOST_BYTES}
   */
  public void publish(byte[] address) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocateFrom(JAVA_BYTE, address);
      Functions.check(Functions.PUBLISH, opened(), copy, (long) address.length);
    }
  }

  /**
   * What a rank has published; waits until it has.
   *
   * @throws JobException if the time is over, or the rank has ended without
   */
  public byte[] address(int rank, Duration timeout) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment into = arena.allocate(MOST_BYTES);
      MemorySegment bytes = arena.allocate(JAVA_LONG);
      long room = into.byteSize();
      Functions.check(Functions.ADDRESS_OF, opened(), rank, timeout.toNanos(), into, room, bytes);
      return into.asSlice(0, bytes.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
    }
  }

  /**
   * Waits until every rank has published.
   *
   * @throws JobException if the time is over, or one has ended without
   */
  public void awaitAll(Duration timeout) {
    Functions.check(Functions.AWAIT_ALL, opened(), timeout.toNanos());
  }

  /** The next rank that has ended; each is told once. Empty if there is none within the time. */
  public Optional<RankEnd> nextEnd(Duration timeout) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment end = arena.allocate(END);
      end.set(JAVA_INT, 0, (int) END.byteSize());
      if ((int) Calls.call(Functions.NEXT_END, opened(), timeout.toNanos(), end) != 1) {
        return Optional.empty();
      }
      return Optional.of(new RankEnd(end.get(JAVA_INT, 4), end.get(JAVA_INT, 8)));
    }
  }

  /**
   * A node whose number is the rank, in a cluster that has the job's name and key, with handlers
   * and listeners still to come; then {@link #start}. Where it listens is chosen here: a port of
   * {@link #hostAddress} that is free at this moment.
   *
   * @param config all but number, cluster and address; the environment counts, too
   */
  public Node build(NodeConfig.Builder config) {
    listen = freeAddress();
    config.id(rank()).cluster(id()).listen(listen);
    byte[] key = key();
    if (key.length > 0 && System.getenv(KEY_FILE) == null) {
      config.set("cluster.key", new String(key, StandardCharsets.UTF_8));
    }
    return Node.build(config.loadSystem().build());
  }

  /** Starts a node of {@link #build}, and waits until it knows where all others are. */
  public Node start(Node node) {
    node.start();
    publish(listen.getBytes(StandardCharsets.UTF_8));
    awaitAll(PATIENCE);
    for (int rank = 0; rank < size(); rank++) {
      if (rank != rank()) {
        node.addPeer(rank, new String(address(rank, PATIENCE), StandardCharsets.UTF_8));
      }
    }
    return node;
  }

  /** {@link #build} and {@link #start}, for a program without handlers. */
  public Node node(NodeConfig.Builder config) {
    return start(build(config));
  }

  private String freeAddress() {
    String address = hostAddress();
    int port = FreePort.at(address);
    return (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
  }

  private MemorySegment opened() {
    if (job.address() == 0) {
      throw new IllegalStateException("the job is closed");
    }
    return job;
  }

  private int number(MethodHandle function) {
    return (int) Calls.call(function, opened());
  }

  private String text(MethodHandle function) {
    return Objects.requireNonNull(Calls.text(function, opened()));
  }
}
