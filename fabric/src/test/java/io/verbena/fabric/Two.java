// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Two nodes on softnic that know each other. */
final class Two implements AutoCloseable {

  static final Duration LONG = Duration.ofMinutes(2);
  static final Duration LONGEST = ChronoUnit.FOREVER.getDuration();
  private static final String CLUSTER = "fabric-test-" + ProcessHandle.current().pid();

  final Fabric one;
  final Fabric two;

  Two() {
    this(false);
  }

  /** With {@code deviceOnly} nothing goes by memory that both map. */
  Two(boolean deviceOnly) {
    one = open(1, deviceOnly);
    two = open(2, deviceOnly);
    one.addPeer(2, two.address());
    two.addPeer(1, one.address());
  }

  private static Fabric open(int id, boolean deviceOnly) {
    FabricBuilder builder = builder(id);
    return (deviceOnly ? builder.deviceOnly() : builder).open();
  }

  static FabricBuilder builder(int id) {
    return Fabric.builder(id)
        .cluster(CLUSTER)
        .listen("127.0.0.1:0")
        .device("softnic")
        .channels(16)
        .deadAfter(Duration.ofMinutes(1)); // a busy machine keeps threads waiting for long
  }

  Link link() {
    return one.link(2, LONG);
  }

  /** What the key names, as it is seen where nothing is lent: what was revoked finds the device. */
  static Remote unseen(RegionKey key) {
    return Remote.of(
        new RegionKey(
            key.access(),
            key.owner(),
            key.incarnation(),
            key.address(),
            key.length(),
            key.rkey(),
            false));
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

  /** By one of two threads that use the same thing: again and again while the other one is in. */
  static <T> T whenFree(Supplier<T> call) {
    while (true) {
      try {
        return call.get();
      } catch (IllegalStateException e) {
        Thread.onSpinWait();
      }
    }
  }

  /** By the other one: what it gets while the first one is in. */
  static IllegalStateException refusal(Runnable call) {
    while (true) {
      try {
        call.run();
        Thread.yield();
      } catch (IllegalStateException e) {
        return e;
      }
    }
  }

  @Override
  public void close() {
    one.close();
    two.close();
  }
}
