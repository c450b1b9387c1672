// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.Execution;
import io.verbena.Node;
import io.verbena.Origin;
import io.verbena.bench.control.Line;
import io.verbena.bench.message.BenchTypes;
import io.verbena.bench.message.Views;
import io.verbena.bench.plan.MessagePath;
import io.verbena.bench.verify.OrderedVerifier;
import io.verbena.bench.verify.Tally;
import io.verbena.bench.verify.UnorderedVerifier;
import io.verbena.bench.verify.Verifier;
import io.verbena.bench.verify.Window;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a node receives: the handler, and the judgement of each source. */
final class Inbox {

  /** No message for this long while some are missing: they will not come. */
  private static final long STALL_NS = TimeUnit.SECONDS.toNanos(5);

  /** After the last message: one that comes twice would come now. */
  private static final long STRAGGLERS_MS = 20;

  private final NodeTask task;
  private final List<Integer> sources;
  private final Verifier[] verifiers;

  /** How many more arrived in earlier rounds than were sent; negative if some were lost. */
  private long surplus;

  Inbox(NodeTask task) {
    this.task = task;
    this.sources = task.topology().sourcesOf(task.id());
    this.verifiers = new Verifier[task.topology().nodes() + 1];
    Arrays.setAll(verifiers, node -> newVerifier());
  }

  private Verifier newVerifier() {
    int stride = task.samplingStride();
    return task.handlers() instanceof Execution.Virtual
        ? new UnorderedVerifier(task.stampFormat(), task.threads(), stride)
        : new OrderedVerifier(task.stampFormat(), task.threads(), stride);
  }

  /** Registers the handler. */
  void install(Node node) {
    if (task.path() == MessagePath.VIEW) {
      installView(node, Views.ofSize(task.sizeBytes()));
      return;
    }
    RecordFormat<?> format = RecordFormat.ofSize(task.sizeBytes());
    boolean answers = task.topology().workload().hasReplies();
    format.install(node, task.handlers(), answers ? new Answering(format) : this::take);
  }

  /** Takes requests. A class, for the JIT stops at some depth of calls, and lambdas are two. */
  private final class Answering implements RecordFormat.Arrival {
    private final RecordFormat<?> format;

    Answering(RecordFormat<?> format) {
      this.format = format;
    }

    @Override
    public void arrived(long stamp, boolean isIntact, Origin from) {
      take(stamp, isIntact, from);
      from.reply(format.make(stamp));
    }
  }

  private void take(long stamp, boolean isIntact, Origin from) {
    Verifier verifier = verifiers[from.nodeId()];
    if (isIntact) {
      verifier.accept(stamp);
    } else {
      verifier.acceptCorrupted();
    }
  }

  private void installView(Node node, Views views) {
    node.handleView(
        BenchTypes.VIEW,
        (segment, offset, length, from) -> {
          long stamp = views.stamp(segment, offset);
          boolean isIntact = length == task.sizeBytes() && views.isIntact(stamp, segment, offset);
          take(stamp, isIntact, from);
        });
  }

  void beginRound() {
    for (int source : sources) {
      verifiers[source].beginRound();
    }
  }

  /**
   * Waits until everything has arrived, or nothing more does, and judges it.
   *
   * @param sent for each source, under its id, how many messages each of its threads has sent ever
   */
  Line endRound(Line sent) throws InterruptedException {
    long[][] bySource = new long[verifiers.length][];
    for (int source : sources) {
      bySource[source] = sent.numbers("from" + source);
    }
    awaitArrival(bySource);
    Tally tally = Tally.NONE;
    Window window = Window.EMPTY;
    for (int source : sources) {
      window = window.union(verifiers[source].window());
      tally = tally.plus(verifiers[source].endRound(bySource[source]));
    }
    return Reports.received(tally, window);
  }

  private void awaitArrival(long[][] sent) throws InterruptedException {
    long expected = 0;
    for (int source : sources) {
      expected += Arrays.stream(sent[source]).sum();
    }
    long lastCount = -1;
    long lastChangeNs = System.nanoTime();
    while (received() - surplus < expected && System.nanoTime() - lastChangeNs < STALL_NS) {
      long count = received();
      if (count != lastCount) {
        lastCount = count;
        lastChangeNs = System.nanoTime();
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
    TimeUnit.MILLISECONDS.sleep(STRAGGLERS_MS);
    surplus = received() - expected;
  }

  private long received() {
    long sum = 0;
    for (int source : sources) {
      sum += verifiers[source].received();
    }
    return sum;
  }
}
