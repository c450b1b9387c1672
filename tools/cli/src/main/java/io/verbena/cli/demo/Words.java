// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Finds and counts words: runs of letters, in lower case. */
final class Words {

  private Words() {}

  /** Counts the words of a text. */
  static Map<String, Integer> count(String text) {
    Map<String, Integer> counts = new HashMap<>();
    int start = -1;
    for (int i = 0; i <= text.length(); i++) {
      boolean isLetter = i < text.length() && Character.isLetter(text.charAt(i));
      if (isLetter && start < 0) {
        start = i;
      } else if (!isLetter && start >= 0) {
        counts.merge(text.substring(start, i).toLowerCase(Locale.ROOT), 1, Integer::sum);
        start = -1;
      }
    }
    return counts;
  }

  /** The node, 1 to {@code owners}, that gathers the counts of a word. */
  static int ownerOf(String word, int owners) {
    return 1 + Math.floorMod(word.hashCode(), owners);
  }

  /** The counts by owner; every owner has its part, if only an empty one. */
  static Map<Integer, Map<String, Integer>> byOwner(Map<String, Integer> counts, int owners) {
    Map<Integer, Map<String, Integer>> parts = new TreeMap<>();
    for (int owner = 1; owner <= owners; owner++) {
      parts.put(owner, new HashMap<>());
    }
    counts.forEach((word, count) -> partOf(parts, word, owners).put(word, count));
    return parts;
  }

  private static Map<String, Integer> partOf(
      Map<Integer, Map<String, Integer>> parts, String word, int owners) {
    Map<String, Integer> part = parts.get(ownerOf(word, owners));
    if (part == null) {
      throw new IllegalStateException("no owner for '" + word + "'");
    }
    return part;
  }

  /** Cuts a text into pieces of about this length, never within a word. */
  static List<String> split(String text, int lengthChars) {
    List<String> pieces = new ArrayList<>();
    int start = 0;
    while (start < text.length()) {
      int end = Math.min(text.length(), start + lengthChars);
      while (end < text.length() && Character.isLetter(text.charAt(end))) {
        end++;
      }
      pieces.add(text.substring(start, end));
      start = end;
    }
    return pieces;
  }
}
