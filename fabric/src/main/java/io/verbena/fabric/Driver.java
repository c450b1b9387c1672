// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.Calls;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The thread that takes what is done and signals, of a fabric that nobody polls. */
final class Driver {

  private static final Logger LOG = System.getLogger("io.verbena.fabric");

  private static final int BATCH = 64;
  private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Room for what waits may come without a completion: a peer has taken signals. */
  private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(1);

  /** A wait that ends at once, again and again, for signals that nobody takes. */
  private static final int MOST_FRUITLESS = 16;

  private static final long PATIENCE_MS = 1000;

  private final Handle fabric;
  private final Promises promises;
  private final Completions completions = new Completions(BATCH);
  private final Signals signals = new Signals(BATCH);
  private final LinkNews news;
  private final Thread thread;
  private volatile @Nullable SignalListener listener;
  private int fruitless;

  Driver(String name, Handle fabric, Promises promises, LinkNews news) {
    this.fabric = fabric;
    this.promises = promises;
    this.news = news;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** From the next round on. */
  void listen(SignalListener heard) {
    listener = heard;
  }

  private void run() {
    while (true) {
      try {
        if (!round()) {
          sleep();
        }
      } catch (ClosedException e) {
        return; // that is how it ends
      } catch (Throwable e) { // memory runs out, say: those who wait for futures still wait
        report("the fabric's thread failed and goes on", e);
        LockSupport.parkNanos(RETRY_NS);
      }
    }
  }

  /** Where memory has run out, the log may fail too, and the thread still goes on. */
  private static void report(String what, Throwable failure) {
    try {
      LOG.log(Level.ERROR, what, failure);
    } catch (Throwable e) {
      // there is nobody else to tell
    }
  }

  /** Returns whether anything came. */
  private boolean round() {
    int ended = fabric.use(completions::fill);
    promises.end(completions);
    int heard = hear();
    promises.goOn();
    return ended + heard > 0;
  }

  private int hear() {
    SignalListener told = listener;
    if (told == null) {
      return 0;
    }
    int heard = fabric.use(signals::fill);
    for (int i = 0; i < heard; i++) {
      tell(told, signals.peer(i), signals.value(i));
    }
    return heard;
  }

  private static void tell(SignalListener told, int peer, int value) {
    try {
      told.signalled(peer, value);
    } catch (Throwable e) { // the listener's failure is its own: futures and signals go on
      report("the listener failed at signal " + value + " of node " + peer, e);
    }
  }

  private void sleep() {
    fabric.use(it -> Calls.call(Functions.ARM, it));
    if (round()) {
      return;
    }
    takeNews();
    long began = System.nanoTime();
    fabric.use(this::await);
    fruitless = System.nanoTime() - began < RETRY_NS / 10 && !round() ? fruitless + 1 : 0;
    if (fruitless > MOST_FRUITLESS) {
      LockSupport.parkNanos(RETRY_NS);
    }
  }

  private Object await(MemorySegment open) {
    long limitNs = promises.someWait() ? RETRY_NS : IDLE_NS;
    try {
      Functions.WAIT.invokeExact(open, limitNs);
      return this;
    } catch (Throwable e) {
      throw Functions.impossible(e);
    }
  }

  /** A wait is armed for it too, so it is asked for between the two. */
  private void takeNews() {
    fabric.use(
        it -> {
          news.take(it);
          return it;
        });
  }

  /** Once the fabric is closed: waits for the thread, but not for ever in what it calls. */
  void join() {
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      thread.join(PATIENCE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
