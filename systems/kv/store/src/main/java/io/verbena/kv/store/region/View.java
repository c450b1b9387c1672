// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.index.MemoryTable;
import io.verbena.kv.store.index.Tree;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * The tables and trees that a reader looks at, newest first. A reader pins the view that is
 * current, for one call. Things that a newer view does without go when its last reader, and those
 * of all older views, are done.
 */
final class View {
  final List<MemoryTable> tables;
  final List<Tree> trees;

  /** The operation up to which the log is in the trees. */
  final long replayed;

  private final Chain chain;
  private final AtomicInteger pins = new AtomicInteger(1); // one for being current
  private Runnable garbage = () -> {};

  private View(Chain chain, List<MemoryTable> tables, List<Tree> trees, long replayed) {
    this.chain = chain;
    this.tables = List.copyOf(tables);
    this.trees = List.copyOf(trees);
    this.replayed = replayed;
  }

  View withTables(List<MemoryTable> others) {
    return new View(chain, others, trees, replayed);
  }

  View withTrees(List<Tree> others, long upTo) {
    return new View(chain, tables, others, upTo);
  }

  MemoryTable active() {
    return tables.getFirst();
  }

  void unpin() {
    if (pins.decrementAndGet() == 0) {
      chain.collect();
    }
  }

  private boolean tryPin() {
    for (int now = pins.get(); now > 0; now = pins.get()) {
      if (pins.compareAndSet(now, now + 1)) {
        return true;
      }
    }
    return false;
  }

  /** The current view, and those before it that still have readers. */
  static final class Chain {
    private final Deque<View> past = new ArrayDeque<>(); // guarded by this; oldest first
    private volatile View current;

    Chain(List<MemoryTable> tables, List<Tree> trees, long replayed) {
      current = new View(this, tables, trees, replayed);
    }

    /** The current view. The caller unpins it. */
    View pin() {
      View view = current;
      while (!view.tryPin()) {
        view = current;
      }
      return view;
    }

    /** What is current right now; for those who alone replace it. */
    View peek() {
      return current;
    }

    /**
     * Makes another view current. @param garbage what to do when nobody can use what only the old
     * one has
     */
    void replace(UnaryOperator<View> change, Runnable garbage) {
      View old;
      synchronized (this) {
        old = current;
        View next = change.apply(old);
        old.garbage = garbage;
        past.addLast(old);
        current = next;
      }
      old.unpin();
    }

    private void collect() {
      Deque<View> done = new ArrayDeque<>();
      synchronized (this) {
        while (!past.isEmpty() && past.getFirst().pins.get() == 0) {
          done.addLast(past.removeFirst());
        }
      }
      done.forEach(view -> view.garbage.run());
    }
  }
}
