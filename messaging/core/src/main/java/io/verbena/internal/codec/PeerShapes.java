// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.internal.codec.PeerDescription.BadDescriptionException;
import io.verbena.internal.codec.PeerDescription.Line;
import io.verbena.internal.codec.PeerDescription.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the shapes that a peer writes out of this side's shapes of a type and the peer's text of
 * it, or says why the two differ more than two versions of one type may.
 *
 * <p>One of the two must have all that the other has: more components at a record's end, more
 * constants of an enum, more records of a sealed interface. Both sides come to the same result.
 */
final class PeerShapes {

  /** The two are not versions of one type; the text says where they differ first. */
  static final class ConflictException extends Exception {
    private static final long serialVersionUID = 1;

    ConflictException(String why) {
      super(why);
    }
  }

  private static final int MAX_CONSTANTS = 65_535;
  private static final int MAX_OPTIONS = 255;

  private final Line line;
  private final Map<Shape, Shape> made = new IdentityHashMap<>(); // by this side's shape
  private final Map<Shape.Product, Shape.Product> own = new HashMap<>(); // by the shape made of it
  private final Map<String, Skip> skips = new HashMap<>(); // of records and sealed interfaces

  private PeerShapes(Line line) {
    this.line = line;
  }

  /** The shape by which to read a peer's version of the type that is {@code mine} here. */
  static CodecPlan plan(CodecPlan mine, Line line)
      throws ConflictException, BadDescriptionException {
    PeerShapes shapes = new PeerShapes(line);
    Shape.Product root = shapes.product(mine.root(), line.root(), "");
    return mine.forPeers(root, shapes.own);
  }

  private Shape of(Shape mine, Node theirs, String path)
      throws ConflictException, BadDescriptionException {
    return switch (mine) {
      case Shape.Scalar _, Shape.Text _ -> same(mine, theirs.head(), path);
      case Shape.Box _, Shape.Array _ -> same(mine, withElement(theirs), path);
      case Shape.Constant constant -> constant(constant, theirs, path);
      case Shape.ListOf list -> {
        requireHead("list", theirs, path);
        yield new Shape.ListOf(of(list.element(), theirs.only(), join(path, "element")));
      }
      case Shape.SetOf set -> {
        requireHead("set", theirs, path);
        yield new Shape.SetOf(of(set.element(), theirs.only(), join(path, "element")));
      }
      case Shape.MapOf map -> {
        requireHead("map", theirs, path);
        Shape key = of(map.key(), theirs.child(0, 2), join(path, "key"));
        yield new Shape.MapOf(key, of(map.value(), theirs.child(1, 2), join(path, "value")));
      }
      case Shape.Maybe maybe -> {
        requireHead("optional", theirs, path);
        yield new Shape.Maybe(of(maybe.value(), theirs.only(), join(path, "value")));
      }
      case Shape.Choice choice -> choice(choice, theirs, path);
      case Shape.Product product -> product(product, theirs, path);
    };
  }

  private static Shape same(Shape mine, String theirs, String path) throws ConflictException {
    String here = TypeDescription.of(mine);
    if (!here.equals(theirs)) {
      throw differ(path, here, theirs);
    }
    return mine;
  }

  /** The whole text of a box or an array; the head of any other node. */
  private static String withElement(Node theirs) {
    return theirs.children().size() == 1
        ? theirs.head() + "(" + theirs.children().getFirst().head() + ")"
        : theirs.head();
  }

  private static void requireHead(String mine, Node theirs, String path) throws ConflictException {
    if (!mine.equals(theirs.head())) {
      throw differ(path, mine, theirs.head());
    }
  }

  // --- records

  private Shape.Product product(Shape.Product mine, Node theirs, String path)
      throws ConflictException, BadDescriptionException {
    requireHead("record " + mine.name(), theirs, path);
    Shape known = made.get(mine);
    if (known != null) {
      return (Shape.Product) known;
    }
    Shape.Product peers = new Shape.Product(mine.name(), mine.type());
    if (mine.recursive()) {
      peers.markRecursive();
    }
    made.put(mine, peers);
    own.put(peers, mine);
    List<Node> written = line.definition(theirs).children();
    List<Shape.Component> components = new ArrayList<>();
    for (int i = 0; i < mine.components().size(); i++) {
      Shape.Component component = mine.components().get(i);
      components.add(
          i < written.size() ? component(component, written.get(i), path) : component.missing());
    }
    peers.complete(components, surplus(written, components.size()));
    return peers;
  }

  private Shape.Component component(Shape.Component mine, Node theirs, String path)
      throws ConflictException, BadDescriptionException {
    String at = join(path, mine.name());
    if (!mine.name().equals(theirs.label())) {
      throw new ConflictException(
          "component %s here is component %s there; new components go to the end"
              .formatted(at, join(path, PeerDescription.quoted(theirs.label()))));
    }
    Shape shape = of(mine.shape(), theirs, at);
    return new Shape.Component(mine.name(), shape, mine.type(), mine.fallback());
  }

  private Skip.Body surplus(List<Node> written, int known) throws BadDescriptionException {
    Skip.Body surplus = new Skip.Body();
    for (int i = known; i < written.size(); i++) {
      surplus.add(skip(written.get(i)));
    }
    return surplus;
  }

  // --- enums and sealed interfaces

  private static Shape constant(Shape.Constant mine, Node theirs, String path)
      throws ConflictException, BadDescriptionException {
    requireHead("enum " + mine.type().getName(), theirs, path);
    List<String> names = theirs.children().stream().map(Node::head).toList();
    if (names.equals(mine.names())) {
      return mine;
    }
    checkSize(names.size(), MAX_CONSTANTS, theirs);
    checkOneHasAll("constant", mine.type().getName(), mine.names(), names);
    Map<String, Enum<?>> byName = new HashMap<>();
    for (Enum<?> value : mine.values()) {
      if (value != null) { // no constant is null in this side's version
        byName.put(value.name(), value);
      }
    }
    @Nullable Enum<?>[] values = names.stream().map(byName::get).toArray(Enum<?>[]::new);
    return new Shape.Constant(mine.type(), Arrays.asList(values), true);
  }

  private Shape choice(Shape.Choice mine, Node theirs, String path)
      throws ConflictException, BadDescriptionException {
    requireHead("sealed " + mine.name(), theirs, path);
    Shape known = made.get(mine);
    if (known != null) {
      return known;
    }
    Shape.Choice peers = new Shape.Choice(mine.name());
    made.put(mine, peers);
    List<Node> written = line.definition(theirs).children();
    List<String> there = written.stream().map(Node::head).toList();
    List<String> here = mine.options().stream().map(option -> "record " + option.name()).toList();
    checkSize(there.size(), MAX_OPTIONS, theirs);
    checkOneHasAll("record", mine.name(), here, there);
    List<Shape.Product> options = new ArrayList<>();
    List<Integer> tags = new ArrayList<>();
    for (int i = 0; i < here.size(); i++) {
      int tag = there.indexOf(here.get(i));
      if (tag >= 0) {
        String at = path + "(" + mine.options().get(i).type().getSimpleName() + ")";
        options.add(product(mine.options().get(i), written.get(tag), at));
        tags.add(tag);
      }
    }
    peers.complete(options, tags, there.size());
    return peers;
  }

  private static void checkSize(int size, int limit, Node node) throws BadDescriptionException {
    if (size > limit) {
      throw new BadDescriptionException(
          PeerDescription.quoted(node.head()) + " has " + size + " parts; limit " + limit);
    }
  }

  private static void checkOneHasAll(String what, String of, List<String> here, List<String> there)
      throws ConflictException, BadDescriptionException {
    Set<String> theirs = new HashSet<>(there);
    if (theirs.size() != there.size()) {
      throw new BadDescriptionException("a " + what + " of " + of + " comes twice");
    }
    String onlyHere = firstWithout(here, theirs);
    String onlyThere = firstWithout(there, new HashSet<>(here));
    if (onlyHere != null && onlyThere != null) {
      throw new ConflictException(
          "%s of %s: only here there is %s, and only there %s; one side must have all that the other has"
              .formatted(
                  what, of, PeerDescription.quoted(onlyHere), PeerDescription.quoted(onlyThere)));
    }
  }

  private static @Nullable String firstWithout(List<String> names, Set<String> others) {
    return names.stream().filter(name -> !others.contains(name)).findFirst().orElse(null);
  }

  // --- what only the peer's version has

  private Skip skip(Node node) throws BadDescriptionException {
    String head = node.head();
    int space = head.indexOf(' ');
    return switch (space < 0 ? head : head.substring(0, space)) {
      case "string" -> new Skip.Elements(1);
      case "boxed" -> new Skip.Boxed(bytesOf(node.only().head()));
      case "array" -> new Skip.Elements(bytesOf(node.only().head()));
      case "enum" -> new Skip.Fixed(node.children().size() <= 255 ? 1 : 2);
      case "list", "set" -> new Skip.Many(List.of(skip(node.only())));
      case "map" -> new Skip.Many(List.of(skip(node.child(0, 2)), skip(node.child(1, 2))));
      case "optional" -> new Skip.Maybe(skip(node.only()));
      case "record" -> body(node);
      case "sealed" -> oneOf(node);
      default -> new Skip.Fixed(bytesOf(head));
    };
  }

  private Skip.Body body(Node node) throws BadDescriptionException {
    Skip known = skips.get(node.head());
    if (known != null) {
      return (Skip.Body) known;
    }
    Skip.Body body = new Skip.Body();
    skips.put(node.head(), body);
    for (Node component : line.definition(node).children()) {
      body.add(skip(component));
    }
    return body;
  }

  private Skip oneOf(Node node) throws BadDescriptionException {
    Skip known = skips.get(node.head());
    if (known != null) {
      return known;
    }
    Skip.OneOf oneOf = new Skip.OneOf();
    skips.put(node.head(), oneOf);
    List<Node> options = line.definition(node).children();
    checkSize(options.size(), MAX_OPTIONS, node);
    for (Node option : options) {
      if (!option.head().startsWith("record ")) {
        throw new BadDescriptionException(PeerDescription.quoted(option.head()) + " is no record");
      }
      oneOf.add(body(option));
    }
    return oneOf;
  }

  private static int bytesOf(String primitive) throws BadDescriptionException {
    for (Shape.Kind kind : Shape.Kind.values()) {
      if (kind.type().getName().equals(primitive)) {
        return kind.sizeBytes();
      }
    }
    throw new BadDescriptionException(PeerDescription.quoted(primitive) + " is no type");
  }

  // --- words

  private static ConflictException differ(String path, String here, String there) {
    String what = path.isEmpty() ? "it" : "component " + path;
    return new ConflictException(
        "%s is %s here and %s there"
            .formatted(what, PeerDescription.quoted(here), PeerDescription.quoted(there)));
  }

  private static String join(String path, String label) {
    return path.isEmpty() ? label : path + "." + label;
  }
}
