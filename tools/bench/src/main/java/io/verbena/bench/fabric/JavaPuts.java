// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.fabric;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.control.Line;
import io.verbena.bench.process.ChildProcess;
import io.verbena.fabric.Completions;
import io.verbena.fabric.Fabric;
import io.verbena.fabric.FabricException;
import io.verbena.fabric.Operations;
import io.verbena.fabric.Region;
import io.verbena.fabric.RegionKey;
import io.verbena.fabric.Remote;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Puts one at a time into another process's memory, from Java in the polling form. */
final class JavaPuts implements AutoCloseable {

  private static final int NODE = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** As many as vbn-fabric-perf has in a round, and as long. */
  private static final int TRIPS = 10_000;

  private static final long TURN_NS = TimeUnit.MILLISECONDS.toNanos(40);

  private final ChildProcess target;
  private final Fabric fabric;
  private final Region local;
  private final Remote remote;
  private final Operations operations;
  private final Completions done = new Completions(1);
  private final long[] timesNs = new long[TRIPS];

  private JavaPuts(ChildProcess target, Fabric fabric, Line ready) {
    this.target = target;
    this.fabric = fabric;
    local = fabric.allocate(FabricTarget.BYTES);
    local.memory().fill((byte) 1);
    remote = Remote.of(RegionKey.of(HexFormat.of().parseHex(ready.text("key"))));
    fabric.addPeer(FabricTarget.NODE, ready.text("address"));
    operations = fabric.link(FabricTarget.NODE, PATIENCE).operations(1);
  }

  /**
   * Starts the other process and links with it.
   *
   * @throws BenchException if there is no fabric here, or it cannot be linked
   */
  static JavaPuts open(String device) throws InterruptedException {
    Line task = new Line("target").with("device", device);
    ChildProcess target = ChildProcess.start("fabric target", FabricTarget.class, List.of(), task);
    try {
      return linked(target, device, target.conversation().hear("ready", PATIENCE));
    } catch (FabricException e) {
      target.close(Duration.ZERO);
      throw new BenchException("no puts from Java: " + e.getMessage());
    } catch (BenchException | InterruptedException e) {
      target.close(Duration.ZERO);
      throw e;
    }
  }

  private static JavaPuts linked(ChildProcess target, String device, Line ready) {
    Fabric fabric = Fabric.builder(NODE).listen("127.0.0.1:0").device(device).open();
    try {
      return new JavaPuts(target, fabric, ready);
    } catch (FabricException e) {
      fabric.close();
      throw e;
    }
  }

  /** The median time of one. */
  double medianNs(long sizeBytes) {
    for (int i = 0; i < TRIPS; i++) {
      long startNs = System.nanoTime();
      put(sizeBytes, 0);
      timesNs[i] = System.nanoTime() - startNs;
    }
    Arrays.sort(timesNs);
    return timesNs[TRIPS / 2];
  }

  /** The throughput of a turn. */
  double bytesPerSecond(long sizeBytes) {
    long places = FabricTarget.BYTES / sizeBytes;
    long count = 0;
    long startNs = System.nanoTime();
    while (System.nanoTime() - startNs < TURN_NS) {
      put(sizeBytes, count % places * sizeBytes);
      count++;
    }
    return count * sizeBytes * 1e9 / (System.nanoTime() - startNs);
  }

  private void put(long sizeBytes, long offset) {
    if (operations.put(local, offset, remote, offset, sizeBytes, 0).post() != 1) {
      throw new BenchException("one put alone had no room");
    }
    while (fabric.poll(done) == 0) {
      continue;
    }
    if (!done.isDone(0)) {
      throw new BenchException(done.sentence(0));
    }
  }

  @Override
  public void close() {
    remote.close();
    local.close();
    fabric.close();
    target.close();
  }
}
