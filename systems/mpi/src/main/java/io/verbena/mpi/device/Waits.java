// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import io.verbena.Node;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** The threads of a rank that wait for requests, and for what: they receive meanwhile. */
final class Waits {

  private static final Duration NO_LIMIT = ChronoUnit.FOREVER.getDuration();

  /** Who waits for no longer is spared the clock, and is not told of. */
  private static final Duration BRIEF = Duration.ofMillis(1);

  private final Node node;
  private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();

  /** A thread that waits. */
  private record Waiting(Thread thread, Request[] requests, long sinceNs) {}

  Waits(Node node) {
    this.node = node;
  }

  /**
   * Waits until {@code done}.
   *
   * @param requests what is waited for, to be told of
   */
  void until(BooleanSupplier done, List<? extends Request> requests) throws InterruptedException {
    if (!node.receiveUntil(done, BRIEF)) {
      untilTold(done, requests.toArray(Request[]::new));
    }
  }

  /** As above, for one. */
  void until(Request request) throws InterruptedException {
    if (!node.receiveUntil(request::isDone, BRIEF)) {
      untilTold(request::isDone, request);
    }
  }

  private void untilTold(BooleanSupplier done, Request... requests) throws InterruptedException {
    long sinceNs = System.nanoTime() - BRIEF.toNanos();
    Waiting entry = new Waiting(Thread.currentThread(), requests, sinceNs);
    waiting.add(entry);
    try {
      boolean unused = node.receiveUntil(done, NO_LIMIT);
    } finally {
      waiting.remove(entry);
    }
  }

  /** Each wait that has lasted for longer than a moment. */
  List<Wait> all() {
    List<Wait> all = new ArrayList<>();
    for (Waiting each : waiting) {
      for (Request request : each.requests()) {
        all.add(wait(each, request));
      }
    }
    return all;
  }

  private static Wait wait(Waiting waiting, Request request) {
    return new Wait(
        waiting.thread().getName(),
        request.call(),
        request.peer(),
        request.context().id(),
        request.wireTag(),
        waiting.sinceNs());
  }
}
