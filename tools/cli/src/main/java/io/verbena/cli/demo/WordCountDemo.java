// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.Node;
import io.verbena.cli.demo.DemoMessages.Chunk;
import io.verbena.cli.demo.DemoMessages.Page;
import io.verbena.cli.demo.DemoMessages.PageQuery;
import io.verbena.cli.demo.DemoMessages.Progress;
import io.verbena.cli.demo.DemoMessages.ProgressQuery;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The coordinator: hands out text, waits, asks for the counts, and compares them with its own. */
final class WordCountDemo {

  private static final int CHUNK_CHARS = 4096;

  /** A bound against hanging; on a busy machine the processes wait for each other. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Node node;
  private final List<String> chunks = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  /**
   * What was counted.
   *
   * @param files how many
   * @param textBytes how large they are
   * @param chunks into which they were cut
   * @param expected the counts of one process
   * @param faults what went wrong, empty if nothing did
   */
  record Outcome(
      int files, long textBytes, int chunks, Map<String, Integer> expected, List<String> faults) {}

  private WordCountDemo(Node node) {
    this.node = node;
  }

  /** Counts the words of these texts by the workers of the coordinator's node. */
  static Outcome run(List<String> texts, Node node) throws InterruptedException {
    return new WordCountDemo(node).run(texts);
  }

  private Outcome run(List<String> texts) throws InterruptedException {
    texts.forEach(text -> chunks.addAll(Words.split(text, CHUNK_CHARS)));
    Map<String, Integer> expected = new HashMap<>();
    for (String chunk : chunks) {
      Words.count(chunk).forEach((word, count) -> expected.merge(word, count, Integer::sum));
    }
    handOut();
    for (int worker = 1; worker <= DemoCluster.WORKERS; worker++) {
      awaitCounts(worker);
    }
    compare(gather(), expected);
    long bytes =
        texts.stream().mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length).sum();
    return new Outcome(texts.size(), bytes, chunks.size(), expected, faults);
  }

  private void handOut() {
    for (int i = 0; i < chunks.size(); i++) {
      String text = chunks.get(i);
      node.send(1 + i % DemoCluster.WORKERS, new Chunk(i, text, text.hashCode()));
    }
  }

  /** Waits until an owner has its part of every chunk. */
  private void awaitCounts(int worker) throws InterruptedException {
    Progress progress = new Progress(-1, 0, 0);
    long lastChangeNs = System.nanoTime();
    while (progress.chunks() < chunks.size()
        && System.nanoTime() - lastChangeNs < PATIENCE.toNanos()) {
      TimeUnit.MILLISECONDS.sleep(1);
      int before = progress.chunks();
      progress = node.request(worker, new ProgressQuery(), Progress.class, PATIENCE);
      if (progress.chunks() != before) {
        lastChangeNs = System.nanoTime();
      }
    }
    int missing = chunks.size() - progress.chunks();
    check(missing == 0, "worker %d lacks its part of %d chunks".formatted(worker, missing));
    int duplicated = progress.duplicated();
    check(duplicated == 0, "worker %d had %d parts twice".formatted(worker, duplicated));
    int corrupted = progress.corrupted();
    check(corrupted == 0, "worker %d had %d corrupted messages".formatted(worker, corrupted));
  }

  private Map<String, Integer> gather() throws InterruptedException {
    Map<String, Integer> all = new HashMap<>();
    for (int worker = 1; worker <= DemoCluster.WORKERS; worker++) {
      boolean isLast = false;
      for (int i = 0; !isLast; i++) {
        Page page = node.request(worker, new PageQuery(i), Page.class, PATIENCE);
        all.putAll(page.counts());
        isLast = page.isLast();
      }
    }
    return all;
  }

  private void compare(Map<String, Integer> found, Map<String, Integer> expected) {
    long wrong =
        expected.entrySet().stream()
            .filter(e -> !e.getValue().equals(found.get(e.getKey())))
            .count();
    check(
        found.equals(expected),
        "the cluster found %d different words, one process %d; %d of these have another count"
            .formatted(found.size(), expected.size(), wrong));
  }

  private void check(boolean holds, String otherwise) {
    if (!holds) {
      faults.add(otherwise);
    }
  }
}
