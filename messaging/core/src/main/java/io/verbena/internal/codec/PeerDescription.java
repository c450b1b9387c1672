// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A peer's description of its type table, read by the grammar of {@link TypeDescription}. The text
 * may be hostile: it is read in one pass, and the memory it can make this side allocate is bounded.
 */
final class PeerDescription {

  static final int MAX_TYPES = 65_536;
  private static final int MAX_DEPTH = 256;
  private static final int MAX_PARTS = 1 << 17;

  /** The text does not follow the grammar or goes beyond a limit. */
  static final class BadDescriptionException extends Exception {
    private static final long serialVersionUID = 1;

    BadDescriptionException(String why) {
      super(why);
    }
  }

  /**
   * One node of the grammar.
   *
   * @param label the component's name or the tag; empty where there is none
   * @param children what stands in parentheses; none where a record is only named
   */
  record Node(String label, String head, List<Node> children) {

    /** The only child of a box, an array, a list, a set or an optional. */
    Node only() throws BadDescriptionException {
      return child(0, 1);
    }

    /** A child of a node that has so many. */
    Node child(int index, int count) throws BadDescriptionException {
      if (children.size() != count) {
        throw new BadDescriptionException(quoted(head) + " has " + children.size() + " parts");
      }
      return children.get(index);
    }
  }

  /** One type: its node, and every record and sealed interface that is spelled out in it. */
  record Line(Node root, Map<String, Node> spelled) {

    /** The node that spells a record or sealed interface out. */
    Node definition(Node named) throws BadDescriptionException {
      Node found = spelled.get(named.head());
      if (found == null) {
        throw new BadDescriptionException(quoted(named.head()) + " is not spelled out");
      }
      return found;
    }
  }

  private final Map<Integer, String> texts;
  private int parts;

  private PeerDescription(Map<Integer, String> texts) {
    this.texts = texts;
  }

  /** Splits a description into its lines. */
  static PeerDescription of(String description) throws BadDescriptionException {
    Map<Integer, String> texts = new TreeMap<>();
    int at = description.indexOf('\n') + 1;
    int last = -1;
    while (at < description.length()) {
      int space = description.indexOf(' ', at);
      int end = description.indexOf('\n', at);
      if (space < 0 || end < space || texts.size() >= MAX_TYPES) {
        throw new BadDescriptionException("line " + (texts.size() + 2) + " is none of a type");
      }
      int id = id(description, at, space);
      if (id <= last) {
        throw new BadDescriptionException("type " + id + " comes after type " + last);
      }
      texts.put(id, description.substring(space + 1, end));
      last = id;
      at = end + 1;
    }
    return new PeerDescription(texts);
  }

  private static int id(String text, int start, int end) throws BadDescriptionException {
    int id = 0;
    for (int i = start; i < end; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9 || end - start > 5) {
        throw new BadDescriptionException("an id is no number");
      }
      id = 10 * id + digit;
    }
    if (start == end || id > 0xFFFF) {
      throw new BadDescriptionException("an id is no number up to 65535");
    }
    return id;
  }

  /** The text of each type, by id, ascending. */
  Map<Integer, String> texts() {
    return texts;
  }

  /** Reads one type's text. */
  Line parse(String text) throws BadDescriptionException {
    Parser parser = new Parser(text);
    return new Line(parser.whole(), parser.spelled);
  }

  /** A name for people: bounded, without control characters. */
  static String quoted(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .limit(120)
        .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c)
        .forEach(out::appendCodePoint);
    return text.length() > 120 ? out + "…" : out.toString();
  }

  private final class Parser {
    private final String text;
    private final Map<String, Node> spelled = new HashMap<>();
    private int at;

    Parser(String text) {
      this.text = text;
    }

    Node whole() throws BadDescriptionException {
      Node root = node("", word(), 0);
      if (at != text.length()) {
        throw new BadDescriptionException("there is more after " + quoted(root.head()));
      }
      return root;
    }

    private Node child(int depth) throws BadDescriptionException {
      String word = word();
      return next(':') ? node(word, word(), depth) : node("", word, depth);
    }

    private Node node(String label, String head, int depth) throws BadDescriptionException {
      if (depth > MAX_DEPTH || ++parts > MAX_PARTS) {
        throw new BadDescriptionException(
            "it nests deeper than " + MAX_DEPTH + " or has more than " + MAX_PARTS + " parts");
      }
      if (!next('(')) {
        return new Node(label, head, List.of());
      }
      List<Node> children = new ArrayList<>();
      if (!next(')')) {
        do {
          children.add(child(depth + 1));
        } while (next(','));
        if (!next(')')) {
          throw new BadDescriptionException("a parenthesis of " + quoted(head) + " is not closed");
        }
      }
      Node made = new Node(label, head, children);
      if (isNamed(head) && spelled.put(head, made) != null) {
        throw new BadDescriptionException(quoted(head) + " is spelled out twice");
      }
      return made;
    }

    private static boolean isNamed(String head) {
      return head.startsWith("record ") || head.startsWith("sealed ");
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
