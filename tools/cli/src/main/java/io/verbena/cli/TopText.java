// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.Figures;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Nodes for people to read: a line for each node, and below it one for each connection. */
final class TopText {

  private static final String NODE = "%8s %6s %-12s %11s %11s %12s %12s %8s %8s %9s %9s%n";
  private static final String LINK = "%15s %-10s %-9s %5s %23s %12s %16s  %s%n";

  private TopText() {}

  static String format(List<NodeReport> reports) {
    if (reports.isEmpty()) {
      return "No node of this user runs on this host.\n";
    }
    StringBuilder text = new StringBuilder();
    append(
        text,
        NODE,
        "pid",
        "node",
        "cluster",
        "msgs out/s",
        "msgs in/s",
        "out/s",
        "in/s",
        "waits/s",
        "resumed",
        "reply p50",
        "reply p99");
    reports.forEach(report -> append(text, report));
    return text.toString();
  }

  private static void append(StringBuilder text, NodeReport report) {
    NodeReport.Replies replies = report.replies();
    append(
        text,
        NODE,
        report.pid(),
        report.nodeId(),
        report.cluster(),
        rate(report, "messages.sent"),
        rate(report, "messages.received"),
        bytes(report.count("bytes.sent").perSecond()),
        bytes(report.count("bytes.received").perSecond()),
        rate(report, "backpressure.waits"),
        report.count("connections.resumed").total(),
        replies == null ? "-" : Figures.nanos(replies.p50Ns()),
        replies == null ? "-" : Figures.nanos(replies.p99Ns()));
    report.connections().stream()
        .sorted(Comparator.comparing(NodeReport.Link::peer))
        .forEach(link -> append(text, link));
  }

  private static void append(StringBuilder text, NodeReport.Link link) {
    append(
        text,
        LINK,
        "to " + link.peer(),
        link.state(),
        link.transport(),
        link.lanes() + (link.lanes() == 1 ? " lane" : " lanes"),
        bytes(link.sentBytesPerSecond()),
        Figures.bytes(link.unconsumedBytes()) + " ahead",
        Figures.bytes(link.memoryBytes()) + " taken",
        link.reason());
  }

  private static String rate(NodeReport report, String name) {
    return Figures.rate(report.count(name).perSecond());
  }

  private static String bytes(double perSecond) {
    return perSecond == 0 ? "-" : Figures.bytes((long) perSecond);
  }

  private static void append(StringBuilder text, String form, Object... values) {
    text.append(String.format(Locale.ROOT, form, values));
  }
}
