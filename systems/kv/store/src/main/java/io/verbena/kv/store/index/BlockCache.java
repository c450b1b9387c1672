// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import io.verbena.kv.store.disk.Segments;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * A fixed number of blocks in memory outside of the heap, with CLOCK as the rule of what goes. A
 * reader pins a block while it looks at it, never while it waits for another one. A block that is
 * not there is read by the thread that wants it into a frame that is nobody else's; so two that
 * want the same one may both read it, and nobody waits for another's disk.
 */
public final class BlockCache implements AutoCloseable {
  private static final int SHARDS = 16;
  private static final int MIN_FRAMES = 8; // of a shard

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final int framesOfShard;
  private final Shard[] shards = new Shard[SHARDS];
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  public BlockCache(long bytes) {
    framesOfShard = Math.toIntExact(Math.max(MIN_FRAMES, bytes / Block.BYTES / SHARDS));
    memory = arena.allocate((long) framesOfShard * SHARDS * Block.BYTES, Block.BYTES);
    Arrays.setAll(shards, i -> new Shard(i * framesOfShard, framesOfShard));
  }

  MemorySegment memory() {
    return memory;
  }

  static long offset(int frame) {
    return (long) frame * Block.BYTES;
  }

  /** The frame with the block, which stays there until {@link #unpin}. */
  int pin(Segments segments, long segment, int block) throws IOException {
    long second = (long) segments.id() << 32 | block;
    Shard shard = shards[shardOf(segment, second)];
    int frame = shard.pinIfThere(segment, second);
    if (frame >= 0) {
      hits.increment();
      return frame;
    }
    misses.increment();
    return load(shard, segments, segment, block, second);
  }

  private int load(Shard shard, Segments segments, long segment, int block, long second)
      throws IOException {
    int frame = shard.take();
    boolean good = false;
    try {
      ByteBuffer into = memory.asSlice(offset(frame), Block.BYTES).asByteBuffer();
      readBlock(segments, segment, block, into);
      good = true;
    } finally {
      if (!good) {
        shard.giveBack(frame);
      }
    }
    return shard.enter(frame, segment, second);
  }

  /** Reads a block past the cache, and refuses one that is not whole. */
  private static void readBlock(Segments segments, long segment, int block, ByteBuffer into)
      throws IOException {
    segments.read(segment, (long) block * Block.BYTES, into);
    while (into.hasRemaining()) {
      into.put((byte) 0);
    }
    Block.check(into, segments, segment, block, "keys of the index are lost");
  }

  void unpin(int frame) {
    shards[frame / framesOfShard].unpin(frame);
  }

  private static int shardOf(long segment, long second) {
    return (int) (mix(segment, second) >>> 60);
  }

  private static long mix(long segment, long second) {
    return (segment * 0x9e3779b97f4a7c15L + second) * 0xbf58476d1ce4e5b9L;
  }

  public long hits() {
    return hits.sum();
  }

  public long misses() {
    return misses.sum();
  }

  @Override
  public void close() {
    arena.close();
  }

  /** A part of the frames with a lock of its own. Frames are numbered as in the whole cache. */
  private static final class Shard {
    private static final int NONE = -1;
    private final int base;
    private final long[] segments;
    private final long[] seconds;
    private final int[] pins;
    private final boolean[] used;
    private final int[] next; // in the chain of a bucket, or of free frames
    private final int[] buckets;
    private int free = NONE;
    private int hand;
    private int waiting;

    Shard(int base, int frames) {
      this.base = base;
      segments = new long[frames];
      seconds = new long[frames];
      pins = new int[frames];
      used = new boolean[frames];
      next = new int[frames];
      buckets = new int[Integer.highestOneBit(frames) * 2];
      Arrays.fill(buckets, NONE);
      for (int i = frames - 1; i >= 0; i--) {
        next[i] = free;
        free = i;
        pins[i] = 1; // so that the hand leaves it alone
      }
    }

    private int bucket(long segment, long second) {
      return (int) (mix(segment, second) >>> 20) & (buckets.length - 1);
    }

    private int find(long segment, long second) {
      int i = buckets[bucket(segment, second)];
      while (i != NONE && (segments[i] != segment || seconds[i] != second)) {
        i = next[i];
      }
      return i;
    }

    synchronized int pinIfThere(long segment, long second) {
      int i = find(segment, second);
      return i == NONE ? NONE : pinned(i);
    }

    private int pinned(int i) {
      pins[i]++;
      used[i] = true;
      return base + i;
    }

    /**
     * A frame that is the caller's alone. Waits while all are pinned or being filled, which lasts a
     * read at most.
     */
    synchronized int take() {
      boolean interrupted = false;
      int i;
      while ((i = freeOrOldest()) == NONE) {
        waiting++;
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
        waiting--;
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      return base + i;
    }

    private int freeOrOldest() {
      if (free != NONE) {
        int i = free;
        free = next[i];
        return i;
      }
      for (int steps = 2 * pins.length; steps > 0; steps--) {
        int i = hand;
        hand = i + 1 == pins.length ? 0 : i + 1;
        if (pins[i] == 0) {
          if (!used[i]) {
            remove(i);
            pins[i] = 1;
            return i;
          }
          used[i] = false;
        }
      }
      return NONE;
    }

    private void remove(int frame) {
      int bucket = bucket(segments[frame], seconds[frame]);
      if (buckets[bucket] == frame) {
        buckets[bucket] = next[frame];
        return;
      }
      int i = buckets[bucket];
      while (next[i] != frame) {
        i = next[i];
      }
      next[i] = next[frame];
    }

    synchronized int enter(int frame, long segment, long second) {
      int other = find(segment, second);
      if (other != NONE) {
        giveBack(frame);
        return pinned(other);
      }
      int i = frame - base;
      int bucket = bucket(segment, second);
      segments[i] = segment;
      seconds[i] = second;
      next[i] = buckets[bucket];
      buckets[bucket] = i;
      used[i] = false; // a second use keeps it, so a block that is asked for once goes soon
      return frame; // its pin is that of the one who took it
    }

    synchronized void giveBack(int frame) {
      int i = frame - base;
      next[i] = free;
      free = i;
      wakeOne();
    }

    synchronized void unpin(int frame) {
      if (--pins[frame - base] == 0) {
        wakeOne();
      }
    }

    private void wakeOne() {
      if (waiting > 0) {
        notify();
      }
    }
  }
}
