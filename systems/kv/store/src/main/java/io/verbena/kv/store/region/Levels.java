// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.index.Tree;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which trees to merge next. Trees stand in one list, newest first, and a merge replaces some that
 * follow each other by one, so merges of parts that have nothing in common go on side by side.
 * Level 1 has a tree for each table that was flushed, {@value #TREES_OF_FIRST} before they are
 * merged; a lower level has one, of up to {@value #GROWTH} times the entries of the level above.
 */
final class Levels {
  static final int GROWTH = 4;
  static final int TREES_OF_FIRST = 4;

  /** At so many trees of level 1 tables are not flushed until some are merged. */
  private static final int CROWDED = 12;

  /**
   * And at so many of all levels, which is more than there are when no merge is due: merges of
   * large trees may be slower than flushes.
   */
  static final int MOST = 24;

  private Levels() {}

  static boolean isCrowded(List<Tree> trees) {
    return trees.size() >= MOST
        || trees.stream().filter(tree -> tree.info().level() == 1).count() >= CROWDED;
  }

  /** Trees from one index to before another, which become one. */
  record Window(int from, int to) {}

  /** The level of a tree that is merged from so many entries. */
  static int levelOf(long entries, long tablePairs) {
    int level = 2;
    while (entries > limit(level, tablePairs)) {
      level++;
    }
    return level;
  }

  /**
   * @param busy trees that are being merged; these are older than the others of their level
   * @param tablePairs entries of a table in memory
   */
  static @Nullable Window next(List<Tree> trees, Set<Tree> busy, long tablePairs) {
    for (int from = 0; from < trees.size(); ) {
      int level = trees.get(from).info().level();
      int to = endOfFree(trees, busy, from, level);
      if (to - from >= (level == 1 ? TREES_OF_FIRST : 2)) {
        return wholeWindow(trees, busy, tablePairs, from, to, level);
      }
      from = endOf(trees, from, level);
    }
    return null;
  }

  private static long limit(int level, long tablePairs) {
    return tablePairs << Math.min(2 * level, 40);
  }

  /** Takes the next levels along until the result fits the lowest of them. */
  private static Window wholeWindow(
      List<Tree> trees, Set<Tree> busy, long tablePairs, int from, int to, int level) {
    int target = Math.max(2, level);
    long entries = entries(trees, from, to);
    while (true) {
      int next = endOfFree(trees, busy, to, target);
      entries += entries(trees, to, next);
      to = next;
      if (entries <= limit(target, tablePairs)) {
        return new Window(from, to);
      }
      target++;
    }
  }

  private static int endOf(List<Tree> trees, int from, int level) {
    int to = from;
    while (to < trees.size() && trees.get(to).info().level() <= level) {
      to++;
    }
    return to;
  }

  private static int endOfFree(List<Tree> trees, Set<Tree> busy, int from, int level) {
    int to = from;
    while (to < trees.size()
        && trees.get(to).info().level() <= level
        && !busy.contains(trees.get(to))) {
      to++;
    }
    return to;
  }

  private static long entries(List<Tree> trees, int from, int to) {
    return trees.subList(from, to).stream().mapToLong(tree -> tree.info().entries()).sum();
  }
}
