// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.launch.Job;
import io.verbena.mpi.Reductions;
import io.verbena.mpi.collective.Blocks;
import io.verbena.mpi.collective.Choice;
import io.verbena.mpi.collective.Collectives;
import io.verbena.mpi.device.Context;
import io.verbena.mpi.device.Device;
import io.verbena.mpi.device.DeviceOptions;
import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** A rank that is measured by the device, and by what goes by it without communicators. */
public final class DeviceTimes implements Ranks<Layout> {

  private final Device device;
  private final Context context;
  private final Collectives all;

  private DeviceTimes(Device device, Collectives all) {
    this.device = device;
    this.context = Context.ofAll(0, device.size());
    this.all = all;
  }

  /** Arguments are none. */
  public static void main(String[] arguments) {
    run(ranks -> ranks);
  }

  /**
   * Makes rounds as a rank of the job that this process is of.
   *
   * @param seen what is measured of the device
   */
  static void run(UnaryOperator<Ranks<Layout>> seen) {
    try (Job job = Job.open();
        Node node = job.build(NodeConfig.builder().types(Device.types()));
        Device device = Device.attach(node, job, DeviceOptions.ofSystem())) {
      job.start(node);
      makeRounds(seen.apply(of(device)));
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** What is wrong here is told before the others hear that this rank has left. */
  private static void makeRounds(Ranks<Layout> ranks) {
    try {
      Rounds.run(ranks);
    } catch (Throwable e) {
      fail(e);
    }
  }

  private static void fail(Throwable e) {
    System.err.println(e);
    Runtime.getRuntime().halt(1);
  }

  private static DeviceTimes of(Device device) {
    Context ofCalls = Context.ofAll(2, device.size());
    Choice choice = Choice.ofSystem();
    return new DeviceTimes(device, new Collectives(device, ofCalls, device.rank(), choice));
  }

  @Override
  public int self() {
    return device.rank();
  }

  @Override
  public int count() {
    return device.size();
  }

  @Override
  public boolean hasMessage(int tag) throws InterruptedException {
    return device.iprobe(context, 0, tag).isPresent();
  }

  @Override
  public Layout memory(Content content) {
    return Layout.of(segment(content));
  }

  private static MemorySegment segment(Content content) {
    return content.array() instanceof double[] doubles
        ? MemorySegment.ofArray(doubles)
        : MemorySegment.ofArray((byte[]) content.array());
  }

  @Override
  public void send(Layout from, int to, int tag) throws InterruptedException {
    device.send(context, to, tag, from);
  }

  @Override
  public void receive(Layout into, int from, int tag) throws InterruptedException {
    device.recv(context, from, tag, into);
  }

  @Override
  public Call call(Operation operation, Content give, Content get) {
    Layout from = memory(give);
    Layout into = memory(get);
    return switch (operation) {
      case BARRIER -> root -> all.barrier();
      case BCAST -> root -> all.bcast(from, root);
      case GATHER, SCATTER, ALLGATHER, ALLTOALL -> move(operation, give, get);
      case REDUCE, ALLREDUCE, REDUCE_SCATTER, SCAN -> reduce(operation, from, into, get.count());
      case PING_PONG -> throw new IllegalArgumentException("no call of all: " + operation);
    };
  }

  private Call move(Operation operation, Content give, Content get) {
    Layout from = memory(give);
    Layout into = memory(get);
    Blocks forEach = Blocks.equal(segment(give), count());
    Blocks ofEach = Blocks.equal(segment(get), count());
    return switch (operation) {
      case GATHER -> root -> all.gather(from, root == self() ? ofEach : null, root);
      case SCATTER -> root -> all.scatter(root == self() ? forEach : null, into, root);
      case ALLGATHER -> root -> all.allgather(from, ofEach);
      default -> root -> all.alltoall(forEach, ofEach);
    };
  }

  private Call reduce(Operation operation, Layout from, Layout into, int block) {
    var sum = Reductions.doubles(Double::sum);
    int[] parts = new int[count()];
    Arrays.fill(parts, block);
    return switch (operation) {
      case REDUCE -> root -> all.reduce(from, root == self() ? into : null, sum, root);
      case ALLREDUCE -> root -> all.allreduce(from, into, sum);
      case REDUCE_SCATTER -> root -> all.reduceScatter(from, parts, into, sum);
      default -> root -> all.scan(from, into, sum);
    };
  }
}
