// SPDX-License-Identifier: Apache-2.0
package io.verbena.nodefabric;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.fabric.Access;
import io.verbena.fabric.Fabric;
import io.verbena.fabric.Region;
import io.verbena.fabric.RegionKey;
import io.verbena.testkit.Await;
import io.verbena.testkit.Ports;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Two nodes of this process, with fabrics, that know each other by configuration alone. */
final class Pair implements AutoCloseable {

  static final int BYTES = 1 << 16;
  static final Duration LONG = Await.LONG;

  /** Asks for a key. */
  public record Ask(long bytes) {}

  /** The answer. */
  public record Room(RegionKey key) {}

  private static final String CLUSTER = "node-fabric-" + ProcessHandle.current().pid();

  final Node one;
  final Node two;
  final NodeFabric first;
  final NodeFabric second;

  /** Transports of both; each may be followed by settings: {@code auto rdma.device=softnic}. */
  Pair(String transportOfOne, String transportOfTwo) {
    this(transportOfOne, transportOfTwo, config -> config);
  }

  Pair(String transportOfOne, String transportOfTwo, UnaryOperator<NodeConfig.Builder> change) {
    String here = "127.0.0.1:" + Ports.free();
    String there = "127.0.0.1:" + Ports.free();
    one = Node.build(change.apply(config(1, transportOfOne, here).peer(2, there)).build());
    two = Node.build(change.apply(config(2, transportOfTwo, there).peer(1, here)).build());
    first = NodeFabric.attach(one, limits -> limits.channels(8));
    second = NodeFabric.attach(two, limits -> limits.channels(8));
    one.start();
    two.start();
  }

  static NodeConfig.Builder config(int id, String transport, String listen) {
    String[] words = transport.split(" ");
    NodeConfig.Builder config =
        NodeConfig.builder()
            .id(id)
            .cluster(CLUSTER)
            .transport(words[0])
            .listen(listen)
            .set("connect.timeout", "3m") // a bound, as machines may be busy
            .types(MessageTypes.builder().add(1, Ask.class).add(2, Room.class).build());
    for (int i = 1; i < words.length; i++) {
      String[] setting = words[i].split("=");
      config.set(setting[0], setting[1]);
    }
    return config;
  }

  /** The second node gives keys of a region by message. */
  void serve(Region region) {
    two.handle(
        Ask.class,
        (ask, from) -> from.reply(new Room(region.share(0, ask.bytes(), Access.values()))));
  }

  RegionKey ask() throws InterruptedException {
    return one.request(2, new Ask(BYTES), Room.class, LONG).key();
  }

  Fabric here() {
    return first.fabric();
  }

  Fabric there() {
    return second.fabric();
  }

  static <T> T get(CompletableFuture<T> future) {
    try {
      return future.get(LONG.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(e);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    one.close();
    two.close();
  }
}
