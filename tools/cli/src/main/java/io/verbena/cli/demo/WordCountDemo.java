// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.Node;
import io.verbena.bench.RoundTrips;
import io.verbena.bench.node.Reports;
import io.verbena.cli.demo.DemoMessages.Chunk;
import io.verbena.cli.demo.DemoMessages.Lookup;
import io.verbena.cli.demo.DemoMessages.Page;
import io.verbena.cli.demo.DemoMessages.PageQuery;
import io.verbena.cli.demo.DemoMessages.Progress;
import io.verbena.cli.demo.DemoMessages.ProgressQuery;
import io.verbena.cli.demo.DemoMessages.WordCount;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The coordinator: hands out text, waits, asks for the counts, and compares them with its own. */
public final class WordCountDemo {

  private static final int CHUNK_CHARS = 4096;
  private static final int MAX_PASSES = 50;
  private static final long COUNTING_NS = TimeUnit.SECONDS.toNanos(2);
  private static final int QUESTIONS = 20_000;
  private static final long QUESTIONING_NS = TimeUnit.SECONDS.toNanos(1);

  /** A bound against hanging; on a busy machine the processes wait for each other. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final List<String> texts;
  private final List<String> chunks = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private final Map<String, Integer> expected = new HashMap<>();
  private final Histogram roundTrips = Reports.newHistogram();
  private long aloneNs;
  private int questions;
  private int passes;
  private long messagesBefore;

  /**
   * One pass over the text.
   *
   * @param messages sent by all nodes
   * @param elapsedNs from the first chunk to the last count
   */
  record Pass(long messages, long elapsedNs) {
    double messagesPerSecond() {
      return messages * 1e9 / elapsedNs;
    }
  }

  private WordCountDemo(List<String> texts) {
    this.texts = texts;
    texts.forEach(text -> chunks.addAll(Words.split(text, CHUNK_CHARS)));
  }

  /**
   * Counts the words of these texts over a transport.
   *
   * @param device the verbs device, if the transport is rdma
   */
  public static DemoReport run(List<String> texts, String transport, String device)
      throws InterruptedException {
    WordCountDemo demo = new WordCountDemo(texts);
    demo.countAlone();
    try (DemoCluster cluster = DemoCluster.start(transport, device)) {
      return demo.run(cluster.node());
    }
  }

  /** The same with the coordinator's node, whose workers are there. */
  static DemoReport run(List<String> texts, Node node) throws InterruptedException {
    WordCountDemo demo = new WordCountDemo(texts);
    demo.countAlone();
    return demo.run(node);
  }

  private DemoReport run(Node node) throws InterruptedException {
    Pass first = pass(node);
    Pass last = passes(node, first);
    expected.replaceAll((word, count) -> count * passes);
    compare(gather(node));
    ask(node);
    return new DemoReport(
        texts.size(),
        texts.stream().mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length).sum(),
        chunks.size(),
        passes,
        node.connections(),
        node.metrics().snapshot(),
        first,
        last,
        aloneNs,
        RoundTrips.of(roundTrips),
        questions,
        expected,
        faults);
  }

  private void countAlone() {
    long start = System.nanoTime();
    for (String chunk : chunks) {
      Words.count(chunk).forEach((word, count) -> expected.merge(word, count, Integer::sum));
    }
    aloneNs = System.nanoTime() - start;
  }

  /** Passes over the text until the code is warm; returns the last one. */
  private Pass passes(Node node, Pass first) throws InterruptedException {
    long endNs = System.nanoTime() + COUNTING_NS;
    Pass last = first;
    while (passes < MAX_PASSES && faults.isEmpty() && System.nanoTime() < endNs) {
      last = pass(node);
    }
    return last;
  }

  /** Hands out the text once and waits until it is counted. */
  private Pass pass(Node node) throws InterruptedException {
    long start = System.nanoTime();
    int firstNumber = passes * chunks.size();
    for (int i = 0; i < chunks.size(); i++) {
      String text = chunks.get(i);
      Chunk chunk = new Chunk(firstNumber + i, text, text.hashCode());
      node.send(1 + i % DemoCluster.WORKERS, chunk);
    }
    passes++;
    long sentByWorkers = awaitCounts(node);
    long elapsedNs = System.nanoTime() - start;
    long sent = node.metrics().messagesSent() + sentByWorkers;
    Pass pass = new Pass(sent - messagesBefore, elapsedNs);
    messagesBefore = sent;
    return pass;
  }

  /** Waits until every owner has its part of every chunk; returns how many messages they sent. */
  private long awaitCounts(Node node) throws InterruptedException {
    long sent = 0;
    for (int worker = 1; worker <= DemoCluster.WORKERS; worker++) {
      Progress progress = awaitCounts(node, worker);
      sent += progress.messagesSent();
      int missing = passes * chunks.size() - progress.chunks();
      check(missing == 0, "worker %d lacks its part of %d chunks".formatted(worker, missing));
      int duplicated = progress.duplicated();
      check(duplicated == 0, "worker %d had %d parts twice".formatted(worker, duplicated));
      int corrupted = progress.corrupted();
      check(corrupted == 0, "worker %d had %d corrupted messages".formatted(worker, corrupted));
    }
    return sent;
  }

  private Progress awaitCounts(Node node, int worker) throws InterruptedException {
    Progress progress = node.request(worker, new ProgressQuery(), Progress.class, PATIENCE);
    long lastChangeNs = System.nanoTime();
    while (progress.chunks() < passes * chunks.size()
        && System.nanoTime() - lastChangeNs < PATIENCE.toNanos()) {
      TimeUnit.MILLISECONDS.sleep(1);
      int before = progress.chunks();
      progress = node.request(worker, new ProgressQuery(), Progress.class, PATIENCE);
      if (progress.chunks() != before) {
        lastChangeNs = System.nanoTime();
      }
    }
    return progress;
  }

  private Map<String, Integer> gather(Node node) throws InterruptedException {
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

  private void compare(Map<String, Integer> found) {
    if (!found.equals(expected)) {
      long wrong =
          expected.entrySet().stream()
              .filter(e -> !e.getValue().equals(found.get(e.getKey())))
              .count();
      faults.add(
          "the cluster found %d different words, one process %d; %d of these have another count"
              .formatted(found.size(), expected.size(), wrong));
    }
  }

  /** Asks for single words and times the answers. */
  private void ask(Node node) throws InterruptedException {
    List<String> words = new ArrayList<>(expected.keySet());
    words.sort(null);
    long endNs = System.nanoTime() + QUESTIONING_NS;
    int wrong = 0;
    while (!words.isEmpty() && questions < QUESTIONS && System.nanoTime() < endNs) {
      String word = words.get(questions % words.size());
      long start = System.nanoTime();
      WordCount answer = node.request(ownerOf(word), new Lookup(word), WordCount.class, PATIENCE);
      roundTrips.recordValue(System.nanoTime() - start);
      questions++;
      wrong += answer.equals(new WordCount(word, expected.getOrDefault(word, 0))) ? 0 : 1;
    }
    check(wrong == 0, "%d of %d answers were wrong".formatted(wrong, questions));
  }

  private static int ownerOf(String word) {
    return Words.ownerOf(word, DemoCluster.WORKERS);
  }

  private void check(boolean holds, String otherwise) {
    if (!holds) {
      faults.add(otherwise);
    }
  }
}
