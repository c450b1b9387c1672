// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * How far apart this machine's processors are at this moment: the time that a word takes to another
 * thread and back while both spin and nobody else is at work. A host moves the processors of a
 * virtual machine between threads of one core, cores that share a cache, and cores that do not;
 * then every message takes several times as long as a second before, whoever sends it.
 */
final class CoreDistance implements AutoCloseable {

  private static final int PING = 16; // far enough from each other, and from the array's length,
  private static final int PONG = 48; // that neither is fetched with the other
  private static final int WORDS = 64;
  private static final long END = -1;
  private static final long MEASURING_NS = 2_000_000;
  private static final int ROUND_TRIPS_PER_LOOK = 64;
  private static final long NAP_NS = 10_000_000_000L;
  private static final long SPINS = 1 << 20;

  private final AtomicLongArray words = new AtomicLongArray(WORDS);
  private final Thread echo = Thread.ofPlatform().daemon().name("echo").unstarted(this::answer);
  private volatile boolean isAwake;
  private long number;

  private CoreDistance() {}

  /** Starts the other thread; between measurements it sleeps. */
  static CoreDistance open() {
    CoreDistance distance = new CoreDistance();
    distance.echo.start();
    return distance;
  }

  /** Nanoseconds there and back, the mean of some thousands; 0 where there is one processor. */
  double roundTripNs() {
    if (Runtime.getRuntime().availableProcessors() < 2) {
      return 0;
    }
    isAwake = true;
    LockSupport.unpark(echo);
    exchange(); // it is awake when it has answered
    long startNs = System.nanoTime();
    long count = 0;
    long nowNs = startNs;
    while (nowNs - startNs < MEASURING_NS) {
      for (int i = 0; i < ROUND_TRIPS_PER_LOOK; i++) {
        exchange();
      }
      count += ROUND_TRIPS_PER_LOOK;
      nowNs = System.nanoTime();
    }
    isAwake = false;
    return (double) (nowNs - startNs) / count;
  }

  private void exchange() {
    long mine = ++number;
    words.setRelease(PING, mine); // pairs with the look in answer, as does its own with this one
    for (long spins = 1; words.getAcquire(PONG) != mine; spins++) {
      if (spins % SPINS == 0) {
        Thread.yield(); // perhaps the other thread is to run on this very processor
      }
    }
  }

  private void answer() {
    long last = 0;
    while (last != END) {
      long now = words.getAcquire(PING);
      if (now != last) {
        words.setRelease(PONG, now);
        last = now;
      } else if (!isAwake) {
        LockSupport.parkNanos(this, NAP_NS);
      }
    }
  }

  @Override
  public void close() {
    words.setRelease(PING, END);
    LockSupport.unpark(echo);
  }
}
