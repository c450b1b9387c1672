// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.node.MemoryUse;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What one connection costs a process, at most.
 *
 * @param toldBytes outside of the heap, as a node says
 * @param measured by the JVM's own count; null if there were too few connections to tell
 */
public record ConnectionMemory(long toldBytes, @Nullable Measured measured) {

  /**
   * How much less a process took before its last connections, for each of them.
   *
   * @param nativeBytes mapped and allocated outside of the heap
   * @param heapBytes on the heap, after collections
   */
  public record Measured(long nativeBytes, long heapBytes) {

    long bytes() {
      return nativeBytes + heapBytes;
    }
  }

  /**
   * From what processes took with some connections and with more.
   *
   * @param few of each node
   * @param all of the same nodes in the same order
   * @param inOneProcess whether the nodes share one, which then has both ends of each connection
   */
  static ConnectionMemory of(List<MemoryUse> few, List<MemoryUse> all, boolean inOneProcess) {
    long told = all.stream().mapToLong(MemoryUse::toldBytes).max().orElse(0);
    if (inOneProcess) {
      int ends = connections(all) - connections(few);
      return new ConnectionMemory(told, measured(few.getFirst(), all.getFirst(), ends / 2));
    }
    Measured most = null;
    for (int i : IntStream.range(0, all.size()).toArray()) {
      int more = all.get(i).connections() - few.get(i).connections();
      Measured one = measured(few.get(i), all.get(i), more);
      if (most == null || (one != null && one.bytes() > most.bytes())) {
        most = one;
      }
    }
    return new ConnectionMemory(told, most);
  }

  private static int connections(List<MemoryUse> of) {
    return of.stream().mapToInt(MemoryUse::connections).sum();
  }

  private static @Nullable Measured measured(MemoryUse few, MemoryUse all, int connections) {
    return connections <= 0
        ? null
        : new Measured(
            (all.nativeBytes() - few.nativeBytes()) / connections,
            (all.heapBytes() - few.heapBytes()) / connections);
  }
}
