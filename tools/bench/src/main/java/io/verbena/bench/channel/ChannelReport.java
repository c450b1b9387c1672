// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.channel;

import io.verbena.bench.Figures;
import io.verbena.bench.JsonFields;
import io.verbena.bench.Machine;
import io.verbena.bench.Spread;
import io.verbena.bench.Table;
import io.verbena.bench.compare.CompareJson;
import io.verbena.bench.compare.CompareText;
import io.verbena.bench.compare.Outcome;
import io.verbena.bench.compare.Pairing;
import io.verbena.bench.compare.contest.Contest;
import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.figure.Row;
import io.verbena.bench.figure.Rows;
import io.verbena.bench.plan.SizeText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Channels as tables for a terminal, and as JSON; docs/benchmarks.md tells the fields. */
public final class ChannelReport {

  private ChannelReport() {}

  /** The tables, who was left out, and what became of the messages. */
  public static String format(Machine machine, ChannelResult result) {
    Outcome outcome = result.outcome();
    return "channels between two processes; medians of rounds\n"
        + machine.describe()
        + "\n"
        + Rows.table(result.bare())
        + "\nbeside others, %d pairs of rounds of %s s: median time there and back, or messages a second one way; in brackets"
            .formatted(result.comparison().repeat(), Figures.digits(result.comparison().seconds()))
        + " how many times as fast the channel is\n"
        + besideOthers(outcome)
        + reaches(ChannelReach.ofPeers(outcome))
        + "\n"
        + CompareText.remarks(outcome);
  }

  /** A row for each contest, a column for each system. */
  private static String besideOthers(Outcome outcome) {
    List<String> systems = new ArrayList<>(outcome.descriptions().keySet());
    List<String> headings = new ArrayList<>(List.of("", "size"));
    systems.forEach(
        name -> headings.add(outcome.isChecked(name) ? name : name + CompareText.UNCHECKED));
    Table table = new Table(headings);
    for (Contest contest : outcome.pairings().stream().map(Pairing::contest).distinct().toList()) {
      List<String> cells = new ArrayList<>();
      cells.add(contest.hasReplies() ? "round trip" : "one way");
      cells.add(SizeText.format(contest.sizeBytes()));
      systems.forEach(name -> cells.add(cell(outcome, contest, name)));
      table.row(cells);
    }
    return table.toString();
  }

  private static String cell(Outcome outcome, Contest contest, String system) {
    return outcome.pairings().stream()
        .filter(line -> line.contest().equals(contest) && line.contestant().equals(system))
        .findFirst()
        .map(ChannelReport::cell)
        .orElse("-");
  }

  private static String cell(Pairing line) {
    double figure = Spread.of(line.samples(), Sample::figure).median();
    Spread ratio = line.ratio();
    boolean hasReplies = line.contest().hasReplies();
    String text = hasReplies ? Figures.nanos(figure) : Figures.count(figure) + "/s";
    if (ratio == null) {
      return text;
    }
    double ahead = hasReplies ? ratio.median() : 1 / ratio.median();
    return "%s (%s)".formatted(text, Figures.digits(ahead));
  }

  /** One line for each that the channel is to be ahead of. */
  private static String reaches(List<Row> rows) {
    return rows.stream()
        .collect(Collectors.groupingBy(ChannelReport::aim, LinkedHashMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .map(aim -> "%s: %s%n".formatted(aim.getKey(), verdict(aim.getValue())))
        .collect(Collectors.joining());
  }

  /** What a row is to come to, in words. */
  private static String aim(Row row) {
    double limit = Objects.requireNonNull(row.reach()).limit();
    String partner = Objects.requireNonNull(row.figure().partner()).what();
    long times = Math.round(Math.max(limit, 1 / limit));
    return times == 1
        ? "the channel is to be as fast as " + partner
        : "the channel is to be %d times as fast as %s".formatted(times, partner);
  }

  private static String verdict(List<Row> rows) {
    List<String> missed =
        rows.stream().filter(row -> !Boolean.TRUE.equals(row.isReached())).map(Rows::name).toList();
    return missed.isEmpty()
        ? "reached at all of %d".formatted(rows.size())
        : "MISSED at %d of %d: %s".formatted(missed.size(), rows.size(), String.join("; ", missed));
  }

  /** The results as JSON. */
  public static String toJson(
      Machine machine, String command, boolean isComplete, ChannelResult result) {
    List<Row> rows = new ArrayList<>(result.bare());
    rows.addAll(ChannelReach.ofPeers(result.outcome()));
    return JsonFields.document(
        machine,
        command,
        isComplete,
        root -> {
          CompareJson.put(root, result.comparison(), result.outcome());
          Rows.put(root.putArray("figures"), "channel", rows);
        });
  }
}
