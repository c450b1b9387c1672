// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.Execution;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one handler. A pool is a row of single threads, so that a source keeps its order.
 */
final class Workers {

  private final List<ExecutorService> threads;

  private Workers(List<ExecutorService> threads) {
    this.threads = threads;
  }

  /**
   * Those that an execution asks for; null if the handler runs inline.
   *
   * @param name what the threads' names begin with
   * @param mark what is to hold for all that the threads run
   */
  static @Nullable Workers of(Execution execution, String name, UnaryOperator<ThreadFactory> mark) {
    return switch (execution) {
      case Execution.Inline inline -> null;
      case Execution.Pool pool ->
          new Workers(
              IntStream.range(0, pool.threads())
                  .mapToObj(i -> Thread.ofPlatform().daemon().name(name + i).factory())
                  .map(mark)
                  .map(Executors::newSingleThreadExecutor)
                  .toList());
      case Execution.Virtual virtual ->
          new Workers(
              List.of(
                  Executors.newThreadPerTaskExecutor(
                      mark.apply(Thread.ofVirtual().name(name, 0).factory()))));
    };
  }

  /**
   * Runs a task of a source after the source's earlier ones.
   *
   * @throws RejectedExecutionException if no more are taken
   */
  void execute(int source, Runnable task) {
    threads.get(source % threads.size()).execute(task);
  }

  /** Takes no more; the threads end when they have run what they have. */
  void retire() {
    threads.forEach(ExecutorService::shutdown);
  }

  boolean haveEnded() {
    return threads.stream().allMatch(ExecutorService::isTerminated);
  }

  /** Interrupts what runs; returns what will not run any more. */
  List<Runnable> stop() {
    List<Runnable> left = new ArrayList<>();
    threads.forEach(thread -> left.addAll(thread.shutdownNow()));
    return left;
  }
}
