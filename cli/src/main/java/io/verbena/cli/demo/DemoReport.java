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
 * @param connections of the coordinator
 * @param messages sent by all nodes while counting
 * @param countingNs from the first chunk to the last count
 * @param singleNs how long one process took alone
 * @param roundTrips of single questions
 * @param questions how many
 * @param expected the counts of one process
 * @param faults what went wrong, empty if nothing did
 */
public record DemoReport(
    int files,
    long textBytes,
    int chunks,
    Collection<ConnectionInfo> connections,
    long messages,
    long countingNs,
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
    return text() + connectionTable() + figures() + verdict();
  }

  private String text() {
    return "Counted the words of %d files (%s of text) in 3 worker processes and a coordinator.%n%n"
        .formatted(files, Figures.bytes(textBytes));
  }

  private Table connectionTable() {
    Table table = new Table("connection", "transport", "because");
    connections.stream()
        .sorted(Comparator.comparingInt(ConnectionInfo::nodeId))
        .forEach(c -> table.row("coordinator – worker " + c.nodeId(), c.transport(), c.reason()));
    return table;
  }

  private String figures() {
    Table table = new Table("", "");
    table.row("chunks sent to workers", Figures.count(chunks));
    table.row("messages while counting", Figures.count(messages));
    table.row("time, with cold code", Figures.nanos(countingNs));
    table.row("rate", Figures.count(messages * 1e9 / countingNs) + " msg/s");
    table.row("text", Figures.digits(textBytes * 1e3 / countingNs) + " MB/s");
    table.row("one process alone", Figures.nanos(singleNs));
    table.row("questions", Figures.count(questions));
    table.row("round trip, median", Figures.nanos(roundTrips.p50()));
    table.row("95 %", Figures.nanos(roundTrips.p95()));
    table.row("99 %", Figures.nanos(roundTrips.p99()));
    table.row("longest", Figures.nanos(roundTrips.max()));
    return table + "\n";
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
