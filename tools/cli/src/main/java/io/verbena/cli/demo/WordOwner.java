// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.cli.demo.DemoMessages.Page;
import io.verbena.cli.demo.DemoMessages.Partial;
import io.verbena.cli.demo.DemoMessages.Progress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gathers the counts of the words that belong to one node. Used by several threads. */
final class WordOwner {

  /** The most words in a page. */
  static final int PAGE_WORDS = 4096;

  private final Map<String, Integer> counts = new HashMap<>();
  private final BitSet chunks = new BitSet();
  private int duplicated;
  private int corrupted;

  synchronized void add(Partial partial) {
    int total = partial.counts().values().stream().mapToInt(Integer::intValue).sum();
    if (total != partial.total()) {
      corrupted++;
    } else if (chunks.get(partial.chunk())) {
      duplicated++;
    } else {
      chunks.set(partial.chunk());
      partial.counts().forEach((word, count) -> counts.merge(word, count, Integer::sum));
    }
  }

  synchronized void addCorrupted() {
    corrupted++;
  }

  synchronized int count(String word) {
    return counts.getOrDefault(word, 0);
  }

  synchronized Progress progress() {
    return new Progress(chunks.cardinality(), duplicated, corrupted);
  }

  synchronized Page page(int page) {
    List<String> words = new ArrayList<>(counts.keySet());
    words.sort(null);
    int start = Math.min(words.size(), page * PAGE_WORDS);
    int end = Math.min(words.size(), start + PAGE_WORDS);
    Map<String, Integer> part = new HashMap<>();
    words.subList(start, end).forEach(word -> part.put(word, count(word)));
    return new Page(part, end == words.size());
  }
}
