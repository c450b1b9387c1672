// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.ConnectionInfo;
import io.verbena.Node;
import io.verbena.bench.control.Line;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What a process takes, by the JVM's own count, and what a node in it says of its connections.
 *
 * @param heapBytes what collections have left on the heap
 * @param nativeBytes mapped files, and memory outside of the heap that Java code has allocated
 * @param connections of the node
 * @param toldBytes the greatest {@link ConnectionInfo#memoryBytes} of them
 */
public record MemoryUse(long heapBytes, long nativeBytes, int connections, long toldBytes) {

  private static final int LOOKS = 3;
  private static final long CLEANING_MS = 50;

  /** In the report of the JVM: {@code Other (reserved=4096, committed=4096)}. */
  private static final Pattern OTHER = Pattern.compile("Other \\(reserved=\\d+, committed=(\\d+)");

  /**
   * Has garbage collected, as what it holds outside of the heap is freed only then, and looks. It
   * looks more than once, as the first look takes memory itself.
   */
  static MemoryUse of(Node node) throws InterruptedException {
    MemoryUse last = look(node);
    for (int i = 1; i < LOOKS; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(CLEANING_MS); // another thread frees what was found unused
      last = look(node);
    }
    return last;
  }

  private static MemoryUse look(Node node) {
    Collection<ConnectionInfo> connections = node.connections();
    long told = connections.stream().mapToLong(ConnectionInfo::memoryBytes).max().orElse(0);
    return new MemoryUse(heap(), allocated() + pool("mapped"), connections.size(), told);
  }

  /** Not what is in use now: threads reserve large pieces of the heap when they allocate. */
  private static long heap() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
        .mapToLong(pool -> pool.getCollectionUsage().getUsed())
        .sum();
  }

  /**
   * By the JVM's tracking of native memory, if that is on. Else by its pool of direct buffers, in
   * which arenas that are closed by hand do not count.
   */
  private static long allocated() {
    try {
      Object report =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "vmNativeMemory",
                  new Object[] {new String[] {"summary", "scale=B"}},
                  new String[] {String[].class.getName()});
      // Arenas, direct buffers and nothing else that grows with connections.
      Matcher other = OTHER.matcher(String.valueOf(report));
      return other.find() ? Long.parseLong(other.group(1)) : pool("direct");
    } catch (JMException e) {
      return pool("direct");
    }
  }

  private static long pool(String name) {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals(name))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** As a report. */
  Line toLine() {
    return new Line("memory")
        .with("heap", heapBytes)
        .with("native", nativeBytes)
        .with("connections", connections)
        .with("told", toldBytes);
  }

  /** Reads what {@link #toLine} wrote. */
  public static MemoryUse parse(Line line) {
    return new MemoryUse(
        line.number("heap"),
        line.number("native"),
        (int) line.number("connections"),
        line.number("told"));
  }
}
