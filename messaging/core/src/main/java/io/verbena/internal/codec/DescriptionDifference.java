// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds where two descriptions differ first, in a sentence for people.
 *
 * <p>The other side's text may be hostile: text that does not parse counts as different, nothing
 * throws, and at most a line of it is quoted.
 */
final class DescriptionDifference {

  private static final int MAX_DEPTH = 200;
  private static final int MAX_QUOTE = 120;

  private DescriptionDifference() {}

  static String first(String mine, String theirs) {
    if (mine.equals(theirs)) {
      return "the type tables are the same";
    }
    if (!version(mine).equals(version(theirs))) {
      return "the encoding is '%s' here and '%s' there"
          .formatted(quote(version(mine)), quote(version(theirs)));
    }
    Map<Integer, String> here = lines(mine);
    Map<Integer, String> there = lines(theirs);
    for (Map.Entry<Integer, String> line : here.entrySet()) {
      String other = there.remove(line.getKey());
      if (!line.getValue().equals(other)) {
        return ofType(line.getKey(), line.getValue(), Optional.ofNullable(other));
      }
    }
    return there.entrySet().stream()
        .findFirst()
        .map(e -> "type " + e.getKey() + " (" + name(e.getValue()) + ") is not registered here")
        .orElse("the type tables differ in their formatting only");
  }

  private static String ofType(int id, String mine, Optional<String> theirs) {
    String type = "type " + id + " (" + name(mine) + ")";
    if (theirs.isEmpty()) {
      return type + " is not registered there";
    }
    Node here = Node.parse(mine);
    Node there = Node.parse(theirs.get());
    if (!here.head.equals(there.head)) {
      return "type %d is %s here and %s there".formatted(id, quote(here.head), quote(there.head));
    }
    String first = inside(here, there, "");
    return type + ": " + (first == null ? "the descriptions differ" : first);
  }

  /** The first difference between two nodes with the same head; null if there is none. */
  private static @Nullable String inside(Node here, Node there, String path) {
    for (int i = 0; i < Math.max(here.children.size(), there.children.size()); i++) {
      if (i >= there.children.size()) {
        return component(path, here.children.get(i)) + " does not exist there";
      }
      if (i >= here.children.size()) {
        return component(path, there.children.get(i)) + " does not exist here";
      }
      String first = between(here.children.get(i), there.children.get(i), path);
      if (first != null) {
        return first;
      }
    }
    return null;
  }

  private static @Nullable String between(Node mine, Node other, String path) {
    if (!mine.label.equals(other.label)) {
      return "%s here is %s there".formatted(component(path, mine), component(path, other));
    }
    if (!mine.head.equals(other.head)) {
      if (mine.label.isEmpty()) {
        return "%s %s here is %s there"
            .formatted(path.isEmpty() ? "constant" : path, quote(mine.head), quote(other.head));
      }
      return "%s is %s here and %s there"
          .formatted(component(path, mine), quote(mine.head), quote(other.head));
    }
    return inside(mine, other, join(path, mine.label));
  }

  private static String component(String path, Node node) {
    if (node.label.isEmpty()) {
      return quote((path.isEmpty() ? "" : path + " ") + node.head);
    }
    return "component " + quote(join(path, node.label));
  }

  private static String join(String path, String label) {
    return path.isEmpty() || label.isEmpty() ? path + label : path + "." + label;
  }

  private static String version(String description) {
    int end = description.indexOf('\n');
    return end < 0 ? description : description.substring(0, end);
  }

  private static Map<Integer, String> lines(String description) {
    Map<Integer, String> found = new TreeMap<>();
    description
        .lines()
        .skip(1)
        .forEach(
            line -> {
              int space = line.indexOf(' ');
              if (space > 0
                  && space <= 5
                  && line.chars().limit(space).allMatch(DescriptionDifference::isDigit)) {
                found.put(Integer.parseInt(line.substring(0, space)), line.substring(space + 1));
              }
            });
    return found;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static String name(String line) {
    String head = Node.parse(line).head;
    return quote(head.substring(head.indexOf(' ') + 1));
  }

  private static String quote(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .limit(MAX_QUOTE)
        .map(c -> Character.isISOControl(c) ? '?' : c)
        .forEach(out::appendCodePoint);
    return text.length() > MAX_QUOTE ? out + "…" : out.toString();
  }

  /** One node of the grammar in {@link TypeDescription}. */
  private record Node(String label, String head, List<Node> children) {

    static Node parse(String line) {
      return new Parser(line).node("", 0);
    }
  }

  /** Reads the grammar; text that does not follow it ends the reading early. */
  private static final class Parser {
    private final String text;
    private int at;

    Parser(String text) {
      this.text = text;
    }

    Node node(String label, int depth) {
      String head = word();
      List<Node> children = new ArrayList<>();
      if (next('(') && depth < MAX_DEPTH) {
        do {
          children.add(child(depth + 1));
        } while (next(','));
        next(')');
      }
      return new Node(label, head, children);
    }

    private Node child(int depth) {
      int start = at;
      String word = word();
      if (next(':')) {
        return node(word, depth);
      }
      at = start;
      return node("", depth);
    }

    private boolean next(char wanted) {
      if (at < text.length() && text.charAt(at) == wanted) {
        at++;
        return true;
      }
      return false;
    }

    private String word() {
      int start = at;
      boolean quoted = false;
      while (at < text.length() && (quoted || "(),:".indexOf(text.charAt(at)) < 0)) {
        quoted ^= text.charAt(at) == '"';
        at++;
      }
      return text.substring(start, at);
    }
  }
}
