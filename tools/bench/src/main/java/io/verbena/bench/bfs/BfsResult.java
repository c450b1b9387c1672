// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import io.verbena.bench.Spread;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a run gave.
 *
 * @param plan what was measured
 * @param transport that carried the messages
 * @param transportReason why it was chosen
 * @param constructionSeconds of kernel 1
 * @param constructionMessages vertex messages between nodes in kernel 1
 * @param constructionCpuSeconds of all node processes in kernel 1
 * @param plannedSearches as many as there are roots: a small graph may have fewer than were asked
 *     for
 * @param searches in the order of the roots; fewer than planned if the run was interrupted
 */
public record BfsResult(
    BfsPlan plan,
    String transport,
    String transportReason,
    double constructionSeconds,
    long constructionMessages,
    double constructionCpuSeconds,
    int plannedSearches,
    List<SearchResult> searches) {

  /** Whether every tree passed all checks. */
  public boolean isValid() {
    return searches.stream().allMatch(SearchResult::isValid);
  }

  /** Of traversed edges per second. */
  public TepsStatistics teps() {
    return TepsStatistics.ofRates(figures(SearchResult::teps));
  }

  /** Of the searches' times. */
  public TepsStatistics seconds() {
    return TepsStatistics.of(figures(SearchResult::seconds));
  }

  /** Of the edges of the components searched. */
  public TepsStatistics edges() {
    return TepsStatistics.of(figures(SearchResult::edges));
  }

  /** Vertex messages per second. */
  public Spread messagesPerSecond() {
    return Spread.of(searches, SearchResult::messagesPerSecond);
  }

  /** Of all node processes, in one search. */
  public Spread cpuSeconds() {
    return Spread.of(searches, SearchResult::cpuSeconds);
  }

  /** Vertex messages of all searches. */
  public long messages() {
    return searches.stream().mapToLong(SearchResult::messages).sum();
  }

  private double[] figures(ToDoubleFunction<SearchResult> figure) {
    return searches.stream().mapToDouble(figure).toArray();
  }
}
