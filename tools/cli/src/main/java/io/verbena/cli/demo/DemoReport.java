// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.ConnectionInfo;
import io.verbena.bench.Figures;
import io.verbena.bench.RoundTrips;
import io.verbena.bench.Table;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the demo found.
 *
 * @param files how many were counted
 * @param textBytes how large they are
 * @param chunks into which they were cut
 * @param passes how often the text was counted
 * @param connections of the coordinator
 * @param metrics of the coordinator
 * @param first the first pass, with cold code
 * @param last the last pass
 * @param singleNs how long one process took alone
 * @param roundTrips of single questions
 * @param questions how many
 * @param expected the counts of one process, for all passes
 * @param faults what went wrong, empty if nothing did
 */
public record DemoReport(
    int files,
    long textBytes,
    int chunks,
    int passes,
    Collection<ConnectionInfo> connections,
    Map<String, Long> metrics,
    WordCountDemo.Pass first,
    WordCountDemo.Pass last,
    long singleNs,
    RoundTrips roundTrips,
    int questions,
    Map<String, Integer> expected,
    List<String> faults) {

  private static final int TOP = 5;

  /** Whether the cluster's counts are those of one process, and every message came once, whole. */
  public boolean isRight() {
    return faults.isEmpty();
  }

  /** The report for people. */
  public String format() {
    return text() + connectionTable() + memory() + figures() + verdict();
  }

  private String text() {
    return """
    Counted the words of %s (%s in %s, %d times) in 3 worker processes
    and a coordinator.

    """
        .formatted(
            several(files, "file"), Figures.bytes(textBytes), several(chunks, "chunk"), passes);
  }

  private static String several(int count, String thing) {
    return count + " " + thing + (count == 1 ? "" : "s");
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

  private String figures() {
    Table table = new Table("counting", "time", "messages", "msg/s", "text MB/s");
    table.row("one process", Figures.nanos(singleNs), "-", "-", megabytesPerSecond(singleNs));
    row(table, "first pass", first);
    row(table, "pass " + passes, last);
    Table asking = new Table("asking", "median", "95 %", "99 %", "99.9 %", "longest");
    asking.row(
        Figures.count(questions) + " round trips",
        Figures.nanos(roundTrips.p50()),
        Figures.nanos(roundTrips.p95()),
        Figures.nanos(roundTrips.p99()),
        Figures.nanos(roundTrips.p999()),
        Figures.nanos(roundTrips.max()));
    return "\n" + table + "\n" + asking + "\n";
  }

  private void row(Table table, String what, WordCountDemo.Pass pass) {
    table.row(
        what,
        Figures.nanos(pass.elapsedNs()),
        Figures.count(pass.messages()),
        Figures.count(pass.messagesPerSecond()),
        megabytesPerSecond(pass.elapsedNs()));
  }

  private String megabytesPerSecond(long elapsedNs) {
    return Figures.digits(textBytes * 1e3 / elapsedNs);
  }

  private String verdict() {
    if (!isRight()) {
      return "WRONG:\n  " + String.join("\n  ", faults) + "\n";
    }
    long words = expected.values().stream().mapToLong(Integer::longValue).sum();
    return "Right: %s words, %s different ones, counted as one process does; the most frequent: %s%n"
            .formatted(Figures.count(words), Figures.count(expected.size()), topWords())
        + "Nothing was lost, duplicated or corrupted.\n";
  }

  private String topWords() {
    return expected.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(TOP)
        .map(entry -> String.format(Locale.ROOT, "%s %d", entry.getKey(), entry.getValue()))
        .reduce((a, b) -> a + ", " + b)
        .orElse("none");
  }
}
