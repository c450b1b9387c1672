// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.ConnectionInfo;
import io.verbena.NodeConfig;
import io.verbena.internal.config.CoreKeys;
import io.verbena.internal.connection.Connection;
import io.verbena.internal.metrics.NodeMetrics;
import io.verbena.internal.metrics.StatusFile;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells other processes of this user once a second how the node fares ({@code verbena top}). It
 * reads counters that there are anyway; nothing is done where messages pass. Used by the node's
 * clock, between start and end.
 */
final class NodeStatus implements AutoCloseable {

  private static final Logger LOG = System.getLogger("io.verbena");
  private static final long INTERVAL_NS = 1_000_000_000;

  private final NodeConfig config;
  private final NodeMetrics metrics;
  private final long incarnation;
  private final String heading;
  private @Nullable StatusFile file; // guarded by this, as all below
  private long writtenNs;
  private SortedMap<String, Long> lastCounts = new TreeMap<>();
  private Map<Integer, Long> lastSent = new HashMap<>();

  NodeStatus(NodeConfig config, long incarnation, NodeMetrics metrics) {
    this.config = config;
    this.incarnation = incarnation;
    this.metrics = metrics;
    this.heading =
        "node "
            + config.nodeId()
            + "\ncluster "
            + config.cluster()
            + "\npid "
            + ProcessHandle.current().pid()
            + "\nincarnation "
            + Long.toHexString(incarnation)
            + "\nstarted.ms "
            + System.currentTimeMillis()
            + '\n';
  }

  /** Makes the file; a node that cannot goes on without one. */
  synchronized void open(Collection<Connection> connections) {
    if (!config.setting(CoreKeys.STATUS).equals("on")) {
      return;
    }
    String name =
        ProcessHandle.current().pid() + "-" + config.nodeId() + "-" + Long.toHexString(incarnation);
    try {
      file = new StatusFile(folder(config), name);
      StatusFile.sweep(folder(config));
    } catch (IOException e) {
      tellOfNoFile(e);
      return;
    }
    writtenNs = System.nanoTime();
    write(connections, 0);
  }

  private void tellOfNoFile(IOException why) {
    LOG.log(
        Level.DEBUG,
        "node {0} cannot be seen by 'verbena top': {1}",
        String.valueOf(config.nodeId()),
        why.getMessage());
  }

  private static Path folder(NodeConfig config) throws IOException {
    String set = config.setting(CoreKeys.STATUS_DIRECTORY);
    try {
      return Path.of(set.isEmpty() ? "/dev/shm/verbena-" + userId() + ".nodes" : set);
    } catch (InvalidPathException e) {
      throw new IOException("status.directory cannot be '" + set + "' here: " + e.getReason(), e);
    }
  }

  private static Object userId() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }

  /** Writes if it is time to. */
  synchronized void tick(long nowNs, Collection<Connection> connections) {
    long elapsedNs = nowNs - writtenNs;
    if (file != null && elapsedNs >= INTERVAL_NS) {
      writtenNs = nowNs;
      write(connections, elapsedNs);
    }
  }

  private void write(Collection<Connection> connections, long elapsedNs) {
    StringBuilder text = new StringBuilder(heading);
    text.append("transport ").append(config.transport()).append('\n');
    text.append("written.ms ").append(System.currentTimeMillis()).append('\n');
    appendCounts(text, elapsedNs);
    metrics.replyTimes().appendTo(text);
    appendConnections(text, connections, elapsedNs);
    try {
      file().write(text.toString());
    } catch (IOException e) { // the file system is full
      tellOfNoFile(e);
      close();
    }
  }

  private StatusFile file() {
    return java.util.Objects.requireNonNull(file);
  }

  private void appendCounts(StringBuilder text, long elapsedNs) {
    SortedMap<String, Long> counts = metrics.snapshot();
    counts.forEach(
        (name, count) -> {
          double rate = rate(count - lastCounts.getOrDefault(name, 0L), elapsedNs);
          text.append("count ").append(name).append(' ').append(count);
          text.append(String.format(Locale.ROOT, " %.1f\n", rate));
        });
    lastCounts = counts;
  }

  private void appendConnections(
      StringBuilder text, Collection<Connection> connections, long elapsedNs) {
    Map<Integer, Long> sent = new HashMap<>();
    for (Connection connection : connections) {
      ConnectionInfo info = connection.info();
      if (info == null) {
        continue;
      }
      long before = lastSent.getOrDefault(info.nodeId(), 0L);
      sent.put(info.nodeId(), info.sentPosition());
      text.append("connection ").append(info.nodeId()).append(' ').append(info.state());
      text.append(' ').append(info.transport());
      text.append(' ').append(info.lanes()).append(' ').append(info.sentPosition());
      text.append(' ').append(info.sentPosition() - info.consumedPosition());
      double rate = rate(Math.max(0, info.sentPosition() - before), elapsedNs);
      text.append(String.format(Locale.ROOT, " %.1f ", rate));
      text.append(info.memoryBytes()).append(' ');
      text.append(info.reason().replace('\n', ' ')).append('\n');
    }
    lastSent = sent;
  }

  private static double rate(long difference, long elapsedNs) {
    return elapsedNs == 0 ? 0 : difference * 1e9 / elapsedNs;
  }

  @Override
  public synchronized void close() {
    StatusFile open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }
}
