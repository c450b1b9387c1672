// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

import com.sun.management.ThreadMXBean;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.node.Reports;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** The threads that use an engine. */
final class Load {
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
  private static final long STALL_NS = 10_000_000;
  private static final long MARGIN_NS = 50_000;
  private static final long PIECE = 64;
  private static final int MAX_SCAN = 100;
  private static final int ARRAY_HEAD = 16;

  /** Keys lie evenly between 0 and 2^64. Behind this one there may be too few for a scan. */
  private static final byte[] NEAR_THE_END = "user18".getBytes(StandardCharsets.US_ASCII);

  private final Engine engine;
  private final Mix mix;
  private final long loaded;
  private final int threads;
  private final Zipfian zipfian;
  private final AtomicLongArray inserted; // by each thread, behind those that were loaded

  /** What one thread has done. */
  static final class Done {
    final Histogram times = Reports.newHistogram();
    long operations;
    long putBytes;
    long heapBytes;
    long longestNs;
    long stalledNs;

    private void add(Done other) {
      times.add(other.times);
      operations += other.operations;
      putBytes += other.putBytes;
      heapBytes += other.heapBytes;
      longestNs = Math.max(longestNs, other.longestNs);
      stalledNs += other.stalledNs;
    }
  }

  /**
   * @param loaded how many records {@link Workload#LOAD} puts
   */
  Load(Engine engine, Mix mix, long loaded, int threads) {
    this.engine = engine;
    this.mix = mix;
    this.loaded = loaded;
    this.threads = threads;
    this.zipfian = new Zipfian(loaded);
    this.inserted = new AtomicLongArray(threads);
  }

  /** Puts all records. */
  Done fill() throws InterruptedException {
    AtomicLong next = new AtomicLong();
    return run(
        user -> {
          for (long at = next.getAndAdd(PIECE); at < loaded; at = next.getAndAdd(PIECE)) {
            for (long record = at; record < Math.min(at + PIECE, loaded); record++) {
              user.put(record);
              user.tick();
            }
          }
        });
  }

  /** One operation after the other, until the time is over. */
  Done run(Workload workload, long durationNs) throws InterruptedException {
    long end = System.nanoTime() + durationNs;
    return run(
        user -> {
          while (user.lastNs < end) {
            user.operate(workload);
            user.tick();
          }
        });
  }

  /**
   * Operations at a fixed rate, of all threads together. Ends after twice the time if they cannot
   * be done at that rate.
   */
  Done runPaced(Workload workload, long durationNs, double perSecond) throws InterruptedException {
    long interval = (long) (1e9 * threads / perSecond);
    long begin = System.nanoTime();
    return run(
        user -> {
          long due = begin + interval * user.number / threads;
          long end = begin + durationNs;
          for (; due < end && user.lastNs < end + durationNs; due += interval) {
            awaitNs(due);
            user.lastNs = System.nanoTime();
            user.operate(workload);
            user.tick();
            user.done.times.recordValue(Math.clamp(user.lastNs - due, 1, Reports.MAX_RTT_NS));
          }
        });
  }

  private static void awaitNs(long due) {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      if (left > MARGIN_NS) {
        LockSupport.parkNanos(left - MARGIN_NS);
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private interface Work {
    void by(User user) throws Exception;
  }

  private Done run(Work work) throws InterruptedException {
    Done all = new Done();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<Done>> users = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        User user = new User(i);
        users.add(pool.submit(() -> user.run(work)));
      }
      for (Future<Done> user : users) {
        all.add(user.get());
      }
      return all;
    } catch (ExecutionException e) {
      throw new BenchException(engine.describe() + ": " + e.getCause());
    }
  }

  /** A thread's part. */
  private final class User {
    private final int number;
    private final Records records = new Records(mix);
    private final SplittableRandom random;
    private final Done done = new Done();
    private long lastNs = System.nanoTime();
    private long returnedBytes;
    private byte[] scanned = {}; // the key where the scan is
    private int found;

    private User(int number) {
      this.number = number;
      this.random = new SplittableRandom(System.nanoTime() + number);
    }

    private Done run(Work work) throws Exception {
      long heap = THREADS.getCurrentThreadAllocatedBytes();
      lastNs = System.nanoTime();
      work.by(this);
      done.heapBytes = THREADS.getCurrentThreadAllocatedBytes() - heap - returnedBytes;
      return done;
    }

    private void tick() {
      long now = System.nanoTime();
      long took = now - lastNs;
      lastNs = now;
      done.operations++;
      done.longestNs = Math.max(done.longestNs, took);
      if (took >= STALL_NS) {
        done.stalledNs += took;
      }
    }

    private void operate(Workload workload) throws Exception {
      boolean reads = random.nextInt(100) < workload.readPercent();
      if (reads && workload == Workload.E) {
        scan(popular(), random.nextInt(1, MAX_SCAN + 1));
      } else if (reads) {
        get(workload == Workload.D ? latest() : popular());
      } else if (workload.inserts()) {
        insert();
      } else {
        long record = popular();
        if (workload == Workload.F) {
          get(record);
        }
        put(record);
      }
    }

    private long popular() {
      return Long.remainderUnsigned(Records.hash(zipfian.next(random)), loaded);
    }

    /** Near to the end of what was loaded and inserted. */
    private long latest() {
      long back = zipfian.next(random);
      int thread = (int) (back % threads);
      long own = inserted.get(thread) - 1 - back / threads;
      if (own >= 0) {
        return insertedAs(thread, own);
      }
      long behind = 0;
      for (int i = 0; i < threads; i++) {
        behind += inserted.get(i);
      }
      return loaded - 1 - Math.max(0, back - behind);
    }

    private long insertedAs(int thread, long which) {
      return loaded + which * threads + thread;
    }

    private void insert() throws Exception {
      put(insertedAs(number, inserted.get(number)));
      inserted.incrementAndGet(number); // now others may look for it
    }

    private void put(long record) throws Exception {
      byte[] value = records.value(record);
      engine.put(records.key(record), value);
      done.putBytes += Records.KEY_BYTES + value.length;
    }

    private void get(long record) throws Exception {
      byte[] value = engine.get(records.key(record));
      if (value == null || !records.isValue(record, value)) {
        throw new BenchException(
            "record " + record + (value == null ? " is missing" : " is wrong"));
      }
      returnedBytes += ARRAY_HEAD + value.length + 7 & -8;
    }

    /** Keys ascend from that of the record on, and there are as many as were asked for. */
    private void scan(long record, int count) throws Exception {
      scanned = records.key(record).clone();
      found = 0;
      engine.scan(scanned, count, this::see);
      if (found == 0 || (found < count && Arrays.compareUnsigned(scanned, NEAR_THE_END) < 0)) {
        throw new BenchException(
            "a scan of %d records from record %d on finds %d".formatted(count, record, found));
      }
    }

    private void see(byte[] key, byte[] value) {
      int order = Arrays.compareUnsigned(key, scanned);
      if (found == 0 ? order != 0 : order <= 0) {
        throw new BenchException("a scan finds a record that does not belong there");
      }
      if (!records.isValue(key, value)) {
        throw new BenchException("a scan finds a record that is wrong");
      }
      scanned = key;
      found++;
    }
  }
}
