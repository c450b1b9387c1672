// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.ConnectionInfo;
import io.verbena.bench.Figures;
import io.verbena.bench.Table;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the demo found.
 *
 * @param counted the words
 * @param connections of the coordinator
 * @param metrics of the coordinator
 * @param ours how fast Verbena is between the coordinator and worker 1
 * @param theirs how fast a socket of the JDK's is, with its serialization
 */
public record DemoReport(
    WordCountDemo.Outcome counted,
    List<ConnectionInfo> connections,
    Map<String, Long> metrics,
    Speed ours,
    Speed theirs) {

  private static final int TOP = 5;

  /** Whether the cluster's counts are those of one process, and every message came once, whole. */
  public boolean isRight() {
    return counted.faults().isEmpty();
  }

  /** The report for people. */
  public String format() {
    return text() + verdict() + "\n" + connectionTable() + memory() + "\n" + speeds() + next();
  }

  private String text() {
    return "Counted the words of %s (%s in %s) in 3 worker processes and a coordinator.%n"
        .formatted(
            several(counted.files(), "file"),
            Figures.bytes(counted.textBytes()),
            several(counted.chunks(), "chunk"));
  }

  private static String several(int count, String thing) {
    return count + " " + thing + (count == 1 ? "" : "s");
  }

  private String verdict() {
    if (!isRight()) {
      return "WRONG:\n  " + String.join("\n  ", counted.faults()) + "\n";
    }
    Map<String, Integer> expected = counted.expected();
    long words = expected.values().stream().mapToLong(Integer::longValue).sum();
    return "Right: %s words, %s different ones, as one process counts them; the most frequent: %s%n"
            .formatted(Figures.count(words), Figures.count(expected.size()), topWords())
        + "Nothing was lost, duplicated or corrupted.\n";
  }

  private String topWords() {
    return counted.expected().entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(TOP)
        .map(entry -> String.format(Locale.ROOT, "%s %d", entry.getKey(), entry.getValue()))
        .reduce((a, b) -> a + ", " + b)
        .orElse("none");
  }

  private Table connectionTable() {
    Table table = new Table("connection", "transport", "because");
    connections.stream()
        .sorted(Comparator.comparingInt(ConnectionInfo::nodeId))
        .forEach(c -> table.row("coordinator – worker " + c.nodeId(), c.transport(), c.reason()));
    return table;
  }

  /** What verbs take, beside lanes; empty if there are none. */
  private String memory() {
    if (!metrics.containsKey("rdma.bytes.per.connection")) {
      return "";
    }
    return "Each node holds %s of receive buffers, %s of completion queues, and %s per connection beside lanes.%n"
        .formatted(
            metric("rdma.receive.buffer.bytes"),
            metric("rdma.completion.queue.bytes"),
            metric("rdma.bytes.per.connection"));
  }

  private String metric(String name) {
    return Figures.bytes(metrics.getOrDefault(name, 0L));
  }

  private Table speeds() {
    Table table =
        new Table(
            "coordinator – worker 1", "Verbena", "JDK: TCP socket, serialization", "times as fast");
    table.row(
        "request and reply, median",
        Figures.nanos(ours.roundTripNs()),
        Figures.nanos(theirs.roundTripNs()),
        times(theirs.roundTripNs() / ours.roundTripNs()));
    table.row(
        "messages of 64 bytes",
        Figures.count(ours.messagesPerSecond()) + "/s",
        Figures.count(theirs.messagesPerSecond()) + "/s",
        times(ours.messagesPerSecond() / theirs.messagesPerSecond()));
    return table;
  }

  private static String times(double ratio) {
    return String.format(Locale.ROOT, ratio >= 10 ? "%.0f" : "%.1f", ratio);
  }

  private static String next() {
    return """
    Medians of five rounds in turn; what else runs on this machine changes them.

    Next: the program in README.md; './verbena bench latency' and './verbena bench throughput'
    measure what you choose, for long enough; './verbena doctor' says what this machine has.
    """;
  }
}
