// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.kv.store.base.Bytes;
import io.verbena.kv.store.base.Damage;
import io.verbena.kv.store.disk.Disk.Access;
import io.verbena.kv.store.disk.Segments;
import io.verbena.kv.store.index.MergeTest.State;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The smallest cache under a tree that is far larger. */
@Timeout(60)
class BlockCacheTest {
  private static final int FRAMES_OF_SHARD = 8;
  private static final int FRAMES = 16 * FRAMES_OF_SHARD;

  @TempDir private Path folder;
  private final BlockCache cache = new BlockCache(0);
  private final List<State> entries = new ArrayList<>();
  private Segments segments;
  private TreeInfo info;

  @BeforeEach
  void writeTree() throws IOException {
    entries.addAll(TreeTest.Shape.MORE_THAN_A_SEGMENT.entries(new Random(1)));
    segments = TreeTest.segments(folder, Access.CACHED);
    info = TreeTest.write(segments, entries, entries.size());
    assertThat(cache.memory().byteSize()).isEqualTo((long) FRAMES * Block.BYTES);
    assertThat(info.blocks()).isGreaterThan(5 * FRAMES);
  }

  @AfterEach
  void close() throws IOException {
    segments.close();
    cache.close();
  }

  @Test
  void threadsFindRightEntriesAndCountEachBlock() throws Exception {
    int threads = 12;
    int rounds = 3000;
    long seed = System.nanoTime();
    Tree tree = new Tree(info, segments, cache);
    List<Future<?>> all = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < threads; i++) {
        Random random = new Random(seed + i);
        boolean interrupted = i == 0;
        all.add(pool.submit(() -> lookUp(tree, random, rounds, interrupted, "seed " + seed)));
      }
    }
    for (Future<?> each : all) {
      each.get();
    }
    long blocks = (long) threads * rounds * (1 + info.height()); // one of the filter
    assertThat(cache.hits() + cache.misses()).isEqualTo(blocks);
    assertThat(cache.misses()).isBetween((long) info.blocks() - FRAMES, blocks / 2);
    assertNoFrameIsPinned();
  }

  private Void lookUp(Tree tree, Random random, int rounds, boolean interrupted, String about)
      throws IOException {
    Found found = new Found(null);
    for (int i = 0; i < rounds; i++) {
      State state = entries.get(random.nextInt(entries.size()));
      int length = state.key().length;
      MemorySegment key = MemorySegment.ofArray(state.key());
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      long hash = Bytes.hash(key, 0, length);
      assertThat(tree.get(key, 0, length, hash, Entry.NEWEST, found)).describedAs(about).isTrue();
      state.assertIsIn(found, about);
      assertThat(Thread.interrupted()).describedAs(about).isEqualTo(interrupted);
    }
    return null;
  }

  private int pin(int block) throws IOException {
    return cache.pin(segments, info.segmentOf(block), TreeInfo.placeOf(block));
  }

  /** Pins other blocks in all frames at a time, which lasts for ever if one is pinned already. */
  private void assertNoFrameIsPinned() throws IOException {
    Map<Integer, List<Integer>> shards = blocksOfShards();
    List<Integer> pinned = new ArrayList<>();
    for (List<Integer> blocks : shards.values()) {
      for (int block : blocks.subList(blocks.size() - FRAMES_OF_SHARD, blocks.size())) {
        pinned.add(pin(block));
      }
    }
    pinned.forEach(cache::unpin);
    assertThat(pinned).doesNotHaveDuplicates().hasSize(FRAMES);
  }

  /** Which blocks of the tree share frames. */
  private Map<Integer, List<Integer>> blocksOfShards() throws IOException {
    Map<Integer, List<Integer>> shards = new HashMap<>();
    for (int block = 0; block < info.blocks(); block++) {
      int frame = pin(block);
      cache.unpin(frame);
      shards.computeIfAbsent(frame / FRAMES_OF_SHARD, i -> new ArrayList<>()).add(block);
    }
    return shards;
  }

  @Test
  void blocksOfATreeUseAllOfTheCache() throws IOException {
    assertThat(blocksOfShards())
        .hasSize(16)
        .allSatisfy((shard, blocks) -> assertThat(blocks).hasSizeGreaterThan(2 * FRAMES_OF_SHARD));
  }

  @Test
  void aReaderWaitsForAFrameWhileAllArePinnedAndKeepsItsInterrupt() throws Exception {
    List<Integer> blocks = blocksOfShards().get(3);
    List<Integer> frames = new ArrayList<>();
    for (int block : blocks.subList(0, FRAMES_OF_SHARD)) {
      frames.add(pin(block));
    }
    assertThat(frames).doesNotHaveDuplicates();
    FutureTask<Integer> task =
        new FutureTask<>(
            () -> {
              int frame = pin(blocks.get(FRAMES_OF_SHARD));
              assertThat(Thread.interrupted()).isTrue();
              cache.unpin(frame);
              return frame;
            });
    Thread reader = new Thread(task);
    reader.start();
    awaitWaiting(reader);
    cache.unpin(pin(blocks.getFirst())); // one that is there needs no frame
    reader.interrupt();
    awaitWaiting(reader);
    assertThat(task.isDone()).isFalse();
    cache.unpin(frames.get(5));
    assertThat(task.get()).isEqualTo(frames.get(5));
    frames.stream().filter(frame -> !frame.equals(frames.get(5))).forEach(cache::unpin);
    assertNoFrameIsPinned();
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.isInterrupted() || thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aBlockThatCannotBeReadLeavesNoFramePinned() throws IOException {
    for (int i = 0; i < 10 * FRAMES; i++) {
      int behind = 1000 + i;
      assertThatThrownBy(() -> cache.pin(segments, info.segments()[0], behind))
          .isInstanceOf(Damage.class);
    }
    assertNoFrameIsPinned();
  }
}
