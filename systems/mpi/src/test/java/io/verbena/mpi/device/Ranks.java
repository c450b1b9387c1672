// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.testkit.Await;
import io.verbena.testkit.Ports;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Ranks in one process: a node and a device each. */
public final class Ranks implements AutoCloseable {

  private static int made;

  /** What a rank does; it is its thread's own. */
  public interface Program {
    void run(Device device) throws Exception;
  }

  final List<Node> nodes = new ArrayList<>();
  final List<Device> devices = new ArrayList<>();
  final Context all;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Ranks with a node's usual settings. */
  public Ranks(int size, String transport, DeviceOptions options) {
    this(size, transport, options, config -> config);
  }

  /** Ranks with settings of their own. */
  public Ranks(
      int size, String transport, DeviceOptions options, UnaryOperator<NodeConfig.Builder> change) {
    all = Context.ofAll(0, size);
    String cluster = "mpi-%d-%d".formatted(ProcessHandle.current().pid(), ++made);
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      addresses.add("127.0.0.1:" + Ports.free());
    }
    for (int rank = 0; rank < size; rank++) {
      Node node = Node.build(change.apply(config(rank, transport, cluster, addresses)).build());
      nodes.add(node);
      devices.add(Device.attach(node, size, of -> "host" + of, options));
    }
    nodes.forEach(Node::start);
  }

  static NodeConfig.Builder config(
      int rank, String transport, String cluster, List<String> addresses) {
    NodeConfig.Builder config =
        NodeConfig.builder()
            .id(rank)
            .cluster(cluster)
            .transport(transport)
            .types(Device.types())
            .listen(addresses.get(rank));
    for (int peer = 0; peer < addresses.size(); peer++) {
      if (peer != rank) {
        config.peer(peer, addresses.get(peer));
      }
    }
    return config;
  }

  /** The device of a rank. */
  public Device of(int rank) {
    return devices.get(rank);
  }

  /** A rank leaves the job as it should. */
  public void leave(int rank) {
    devices.get(rank).close();
    nodes.get(rank).close();
  }

  /** One program for each rank, all at once; the first failure of one is thrown. */
  public void run(Program... programs) throws Exception {
    List<Future<Void>> running = new ArrayList<>();
    for (int rank = 0; rank < programs.length; rank++) {
      running.add(start(rank, programs[rank]));
    }
    running.forEach(Ranks::join);
  }

  /** Begins what one rank does. */
  public Future<Void> start(int rank, Program program) {
    Callable<Void> call =
        () -> {
          program.run(of(rank));
          return null;
        };
    return threads.submit(call);
  }

  /** Waits for it; its failure is thrown. */
  public static void join(Future<?> one) {
    try {
      one.get(Await.LONG.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("a rank failed", e.getCause());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Waits for all; the first failure is thrown, though others wait for what that one has not done.
   */
  static void joinAll(List<Future<Void>> all) {
    Await.until(
        "all are done, or one has failed",
        () ->
            all.stream().allMatch(Future::isDone)
                || all.stream().anyMatch(it -> it.state() == Future.State.FAILED));
    all.stream().filter(Future::isDone).forEach(Ranks::join);
  }

  static Layout bytes(int... values) {
    return Layout.of(MemorySegment.ofArray(array(values)));
  }

  static byte[] array(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  static Layout room(byte[] array) {
    return Layout.of(MemorySegment.ofArray(array));
  }

  @Override
  public void close() {
    threads.shutdownNow();
    devices.forEach(Device::close);
    nodes.forEach(Node::close);
  }
}
