// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a node has written about itself; docs/top.md describes the lines.
 *
 * @param counts by name
 * @param replies of a sample; null if there were none in the last second
 */
record NodeReport(
    long pid,
    int nodeId,
    String cluster,
    String transport,
    long startedMs,
    long writtenMs,
    Map<String, Count> counts,
    @Nullable Replies replies,
    List<Link> connections) {

  /** A counter and how fast it moves. */
  record Count(long total, double perSecond) {}

  /** How long replies took. */
  record Replies(int sampled, long p50Ns, long p99Ns, long maxNs) {}

  /** A connection to a peer. */
  record Link(
      int peer,
      String state,
      String transport,
      int lanes,
      long sentBytes,
      long unconsumedBytes,
      double sentBytesPerSecond,
      long memoryBytes,
      String reason) {}

  private static final Count NONE = new Count(0, 0);

  /** A counter; zero if the node does not have it. */
  Count count(String name) {
    return counts.getOrDefault(name, NONE);
  }

  /**
   * Reads what a node wrote. Lines that are not known are left out: a later version wrote them.
   *
   * @throws IllegalArgumentException if it is not such a text
   */
  static NodeReport parse(String text) {
    Map<String, String> heading = new HashMap<>();
    Map<String, Count> counts = new TreeMap<>();
    List<Link> connections = new ArrayList<>();
    Replies replies = null;
    for (String line : text.lines().toList()) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "count" -> counts.put(word(words, 1), countOf(words));
        case "connection" -> connections.add(linkOf(line));
        case "replies" -> replies = repliesOf(words);
        default -> heading.put(words[0], words.length > 1 ? words[1] : "");
      }
    }
    return new NodeReport(
        Long.parseLong(need(heading, "pid")),
        Integer.parseInt(need(heading, "node")),
        need(heading, "cluster"),
        need(heading, "transport"),
        Long.parseLong(need(heading, "started.ms")),
        Long.parseLong(need(heading, "written.ms")),
        counts,
        replies,
        connections);
  }

  private static String need(Map<String, String> heading, String name) {
    String value = heading.get(name);
    if (value == null) {
      throw new IllegalArgumentException("there is no line '" + name + "'");
    }
    return value;
  }

  private static String word(String[] words, int index) {
    if (index >= words.length) {
      throw new IllegalArgumentException("too short: " + String.join(" ", words));
    }
    return words[index];
  }

  private static Count countOf(String[] words) {
    return new Count(Long.parseLong(word(words, 2)), Double.parseDouble(word(words, 3)));
  }

  private static Replies repliesOf(String[] words) {
    return new Replies(
        Integer.parseInt(word(words, 1)),
        Long.parseLong(word(words, 2)),
        Long.parseLong(word(words, 3)),
        Long.parseLong(word(words, 4)));
  }

  private static Link linkOf(String line) {
    String[] words = line.split(" ", 10);
    return new Link(
        Integer.parseInt(word(words, 1)),
        word(words, 2),
        word(words, 3),
        Integer.parseInt(word(words, 4)),
        Long.parseLong(word(words, 5)),
        Long.parseLong(word(words, 6)),
        Double.parseDouble(word(words, 7)),
        Long.parseLong(word(words, 8)),
        word(words, 9));
  }
}
