// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.kv.store.index.Tree;
import io.verbena.kv.store.index.TreeInfo;
import io.verbena.kv.store.region.Levels.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Flushes and merges as a region does them, of trees that have nothing but a number of entries. */
class LevelsTest {
  private static final long TABLE = 1000;
  private static final int FLUSHES = 2000;

  /**
   * A third more than what was measured, which is 8.6; {@link Region#mostWrites} is the proven
   * bound.
   */
  private static final double USUAL_WRITES = 11.5;

  /** Which flushes a tree is made of. */
  private record Span(int oldest, int newest) {}

  /** Trees, newest first, and the merges that are under way. */
  private static final class Region {
    final List<Tree> trees = new ArrayList<>();
    final Map<Tree, Span> spans = new HashMap<>();
    final Set<Tree> busy = new HashSet<>();
    final List<List<Tree>> running = new ArrayList<>();
    long flushed;
    long written;
    int mostTrees;

    void flush(int number, long entries) {
      trees.addFirst(tree(1, entries, new Span(number, number)));
      flushed += entries;
      written += entries;
      mostTrees = Math.max(mostTrees, trees.size());
    }

    Tree tree(int level, long entries, Span span) {
      Tree tree = new Tree(new TreeInfo(level, 1, 2, 1, entries, 0, new long[1]), null, null);
      spans.put(tree, span);
      return tree;
    }

    /** Begins a merge if one is due. */
    boolean begin() {
      Window window = Levels.next(trees, busy, TABLE);
      if (window == null) {
        return false;
      }
      assertThat(window.from()).isNotNegative();
      assertThat(window.to()).isBetween(window.from() + 2, trees.size());
      List<Tree> taken = List.copyOf(trees.subList(window.from(), window.to()));
      assertThat(taken).noneMatch(busy::contains);
      busy.addAll(taken);
      running.add(taken);
      return true;
    }

    /**
     * @param share of the entries that remain
     */
    void end(List<Tree> window, double share) {
      running.remove(window);
      window.forEach(busy::remove);
      int at = trees.indexOf(window.getFirst());
      List<Tree> place = trees.subList(at, at + window.size());
      assertThat(place).isEqualTo(window);
      place.clear();
      int level = Levels.levelOf(entries(window), TABLE);
      assertThat(entries(window)).isBetween(level == 2 ? 0 : limit(level - 1) + 1, limit(level));
      long remaining = (long) (entries(window) * share);
      if (remaining > 0) {
        int oldest = spans.get(window.getLast()).oldest;
        int newest = spans.get(window.getFirst()).newest;
        trees.add(at, tree(level, remaining, new Span(oldest, newest)));
      }
      written += remaining;
    }

    void assertOrdered() {
      for (int i = 1; i < trees.size(); i++) {
        assertThat(spans.get(trees.get(i)).newest).isLessThan(spans.get(trees.get(i - 1)).oldest);
      }
    }

    /** Nothing is due: there are up to three trees of level 1, and one of each lower level. */
    void assertAtRest() {
      List<Integer> levels = trees.stream().map(tree -> tree.info().level()).toList();
      assertThat(levels).isSorted();
      assertThat(levels).filteredOn(it -> it == 1).hasSizeLessThan(Levels.TREES_OF_FIRST);
      assertThat(levels).filteredOn(it -> it > 1).doesNotHaveDuplicates();
    }

    /**
     * How often an entry is written at most, if no merge drops any and one ends before the next
     * begins. Once to level 1. To level 2 up to 8 times, as a merge adds 4 tables that are half
     * full or more to a tree of 16 full ones at most. To each lower level up to 4 times, as a merge
     * adds more than the level above may have, which is a quarter. That makes 25 of 2,000 tables.
     */
    double mostWrites() {
      return 1 + 2 * Levels.GROWTH + Levels.GROWTH * (Levels.levelOf(flushed, TABLE) - 2);
    }

    double writes() {
      return (double) written / flushed;
    }
  }

  private static long limit(int level) {
    return TABLE << 2 * level;
  }

  private static long entries(List<Tree> trees) {
    return trees.stream().mapToLong(tree -> tree.info().entries()).sum();
  }

  private static long table(Random random) {
    return TABLE / 2 + random.nextLong(TABLE / 2 + 1);
  }

  @Property(tries = 10)
  void mergesThatEndAtOnceKeepTreesAndWritesFew(@ForAll long seed) {
    Random random = new Random(seed);
    Region region = new Region();
    for (int i = 0; i < FLUSHES; i++) {
      region.flush(i, table(random));
      while (region.begin()) {
        region.end(region.running.getFirst(), 1);
      }
      region.assertOrdered();
      region.assertAtRest();
    }
    assertThat(entries(region.trees)).isEqualTo(region.flushed);
    assertThat(region.mostTrees).isLessThanOrEqualTo(10);
    assertThat(region.mostWrites()).isEqualTo(25);
    assertThat(region.writes()).isBetween(2.0, Math.min(USUAL_WRITES, region.mostWrites()));
  }

  /** Up to three merges run at a time, each ends at some time, and they may drop entries. */
  @Property(tries = 40)
  void mergesSideBySideKeepTreesAndWritesFew(@ForAll long seed) {
    Random random = new Random(seed);
    Region region = new Region();
    int threads = 1 + random.nextInt(3);
    double pace = random.nextDouble(0.5, 8);
    double dropped = random.nextBoolean() ? 0 : random.nextDouble();
    for (int i = 0; i < FLUSHES; i++) {
      do {
        step(region, random, threads, pace, dropped);
      } while (Levels.isCrowded(region.trees));
      region.flush(i, table(random));
      region.assertOrdered();
    }
    assertThat(region.mostTrees).isLessThanOrEqualTo(Levels.MOST);
    assertThat(region.writes()).isLessThanOrEqualTo(USUAL_WRITES);
    while (region.begin() || !region.running.isEmpty()) {
      region.end(region.running.getLast(), 1);
      region.assertOrdered();
    }
    region.assertAtRest();
  }

  /** A merge ends the later the more entries it has; at pace 1 after as many flushes as it has. */
  private static void step(Region region, Random random, int threads, double pace, double dropped) {
    while (region.running.size() < threads && region.begin()) {}
    if (Levels.isCrowded(region.trees)) {
      assertThat(region.running).describedAs("flushes wait for a merge").isNotEmpty();
    }
    for (List<Tree> window : List.copyOf(region.running)) {
      if (random.nextDouble() < pace * TABLE / entries(window)) {
        double share = random.nextDouble() < dropped / 50 ? 0 : 1 - dropped * random.nextDouble();
        region.end(window, share);
      }
    }
  }
}
