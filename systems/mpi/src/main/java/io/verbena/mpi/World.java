// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.launch.Job;
import io.verbena.mpi.collective.Choice;
import io.verbena.mpi.collective.Collectives;
import io.verbena.mpi.device.Context;
import io.verbena.mpi.device.Device;
import io.verbena.mpi.device.DeviceOptions;
import io.verbena.mpi.device.Wait;
import io.verbena.nodefabric.NodeFabric;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * This process as one of the ranks of a job, from its beginning to its end: what {@code MPI_Init}
 * and {@code MPI_Finalize} are in C. A program that no launcher has started is one rank.
 *
 * <pre>{@code
 * try (World world = World.open()) {
 *   Intracommunicator all = world.communicator();
 *   int[] token = {all.rank()};
 *   all.send(Data.of(token), (all.rank() + 1) % all.size(), 0);
 *   all.recv(Data.of(token), Communicator.ANY_SOURCE, 0);
 * }
 * }</pre>
 *
 * <p>Any thread may call anything at any time (MPI_THREAD_MULTIPLE), but {@link #close}, when no
 * other call is going on.
 */
public final class World implements AutoCloseable {

  /** What each buffered send takes in the buffer beside its bytes, {@code MPI_BSEND_OVERHEAD}. */
  public static final int BUFFERED_SEND_OVERHEAD = 64;

  /** Settings of the transport with which peers may be reached over verbs. */
  private static final Set<String> WITH_VERBS = Set.of("auto", "rdma");

  /**
   * How long a program that ends without having left may take to say so, and for what it has sent.
   */
  private static final Duration LATE = Duration.ofMillis(500);

  private final Device device;
  private final Runnable afterwards;
  private final Thread lateGoodbye;
  private final Choice choice = Choice.ofSystem();
  private final ContextIds ids;
  private final SendBuffer buffer;
  private final WaitWatch watch;
  private final Intracommunicator communicator;
  private final Intracommunicator self;

  private World(Device device, Runnable afterwards) {
    this.device = device;
    this.afterwards = afterwards;
    this.ids = new ContextIds(device);
    this.buffer = new SendBuffer(device);
    this.watch = WaitWatch.start(device, WaitTimeout.ofSystem(), System.err::println);
    this.communicator =
        new Intracommunicator(this, ContextIds.WORLD, Group.ofAll(device.size()), null);
    this.self = new Intracommunicator(this, ContextIds.SELF, Group.of(device.rank()), null);
    this.lateGoodbye =
        Thread.ofPlatform()
            .name("verbena-mpi-" + device.rank() + "-goodbye")
            .unstarted(() -> device.leave(LATE));
    Runtime.getRuntime().addShutdownHook(lateGoodbye);
  }

  /**
   * Finds this process' place in its job and waits until all ranks know each other.
   *
   * @throws io.verbena.launch.JobException if there is no such place, or a rank does not come
   */
  public static World open() {
    return open(NodeConfig.builder());
  }

  /**
   * The same, with settings of the node that carries the messages; the environment counts, too.
   *
   * @param config without types
   */
  public static World open(NodeConfig.Builder config) {
    checkSettings();
    Job job = Job.open();
    Node node = null;
    try {
      node = job.build(config.types(Device.types()));
      Device device = Device.attach(node, job, DeviceOptions.ofSystem());
      if (WITH_VERBS.contains(config.build().transport())) {
        device.useFabric(NodeFabric.attachBesideVerbs(node));
      }
      job.start(node);
      return new World(device, new Closing(node, job));
    } catch (RuntimeException e) {
      new Closing(node, job).run();
      throw e;
    }
  }

  /** What is wrong in the environment is told before anything is begun. */
  private static void checkSettings() {
    Choice unused = Choice.ofSystem();
    Duration timeout = WaitTimeout.ofSystem();
  }

  /** What is closed behind the device. */
  private record Closing(@Nullable Node node, Job job) implements Runnable {
    @Override
    public void run() {
      if (node != null) {
        node.close();
      }
      job.close();
    }
  }

  /**
   * The world of a device that somebody else has made, and whose node that one closes afterwards.
   */
  public static World of(Device device) {
    return new World(device, () -> {});
  }

  /** This rank in the job. */
  public int rank() {
    return device.rank();
  }

  /** How many ranks there are. */
  public int size() {
    return device.size();
  }

  /** The communicator of all ranks, {@code MPI_COMM_WORLD}. */
  public Intracommunicator communicator() {
    return communicator;
  }

  /** The communicator of this rank alone, {@code MPI_COMM_SELF}. */
  public Intracommunicator self() {
    return self;
  }

  /** What all communicators go by. */
  public Device device() {
    return device;
  }

  ContextIds ids() {
    return ids;
  }

  /** What all members of a group do together in this context. */
  Collectives collectives(Context context, int self) {
    return new Collectives(device, context, self, choice);
  }

  SendBuffer buffer() {
    return buffer;
  }

  // ---------------------------------------------------------------- buffered sends

  /**
   * Allows buffered sends of this process to take memory, {@code MPI_Buffer_attach}.
   *
   * @param bytes for all messages that have not left, with {@link #BUFFERED_SEND_OVERHEAD} for each
   * @throws IllegalStateException if a buffer is attached
   */
  public void attachBuffer(long bytes) {
    buffer.attach(bytes);
  }

  /**
   * Waits until all that was sent by buffered sends has left, or can no longer, and takes the
   * memory back: {@code MPI_Buffer_detach}.
   *
   * @return how many bytes were attached
   * @throws IllegalStateException if no buffer is attached
   */
  public long detachBuffer() throws InterruptedException {
    return buffer.detach();
  }

  // ---------------------------------------------------------------- ends

  /**
   * Ends this process at once, and with it the job: {@code MPI_Abort}. The launcher ends the other
   * ranks. Does not return.
   *
   * @param status what the process, and so the launcher, ends with: 1 to 255; of others the lowest
   *     eight bits, or 1 if these are none, which would be an end without a fault
   */
  public void abort(int status) {
    Ending.now("rank %d aborts the job with %d".formatted(rank(), status), status);
  }

  /**
   * Each wait in this rank that has lasted for a millisecond or more: of what, and for whom. The
   * same stands in the name of a thread, {@code MPI rank 0 of 4 waits: …}, and so in the answer to
   * SIGQUIT; and is written to standard error when a wait has lasted for {@code mpi.wait.timeout}.
   */
  public List<Wait> waits() {
    return device.waits();
  }

  /**
   * Leaves the job: {@code MPI_Finalize}. Does not wait for the others, who go on and can still
   * receive what has been sent to them. What is left of buffered sends is lost: {@link
   * #detachBuffer} waits for that. Idempotent.
   */
  @Override
  public void close() {
    watch.stop();
    device.close();
    afterwards.run();
    try {
      boolean unused = Runtime.getRuntime().removeShutdownHook(lateGoodbye);
    } catch (IllegalStateException e) {
      // the process ends, and the hook finds that there is nothing left to say
    }
  }
}
