// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The canonical text of a type table, which both sides of a connection compare.
 *
 * <p>Grammar: a line is {@code id SP node}; {@code node = head [ "(" child *( "," child ) ")" ]};
 * {@code child = [ label ":" ] node}. A record is spelled out once in a line. After that only its
 * head appears, which also ends recursion.
 */
final class TypeDescription {

  /** Raised when the encoding of any kind of component changes. */
  static final String VERSION_LINE = "verbena message bodies 1";

  private TypeDescription() {}

  static String ofTable(List<String> lines) {
    return VERSION_LINE
        + "\n"
        + lines.stream().map(line -> line + "\n").collect(Collectors.joining());
  }

  static long fingerprint(String description) {
    return ByteBuffer.wrap(digest(description)).getLong();
  }

  static byte[] digest(String description) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return sha.digest(description.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  static String ofView(String name) {
    return "view " + quoted(name);
  }

  static String ofHandWritten(Class<?> type, String layout) {
    return "codec " + type.getName() + "(layout:" + quoted(layout) + ")";
  }

  static String of(Shape shape) {
    StringBuilder text = new StringBuilder();
    new Spelling(text).spell(shape);
    return text.toString();
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\' || Character.isSurrogate(c)) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  private record Spelling(StringBuilder out, Set<Shape> told) {

    Spelling(StringBuilder out) {
      this(out, new HashSet<>());
    }

    void spell(Shape shape) {
      switch (shape) {
        case Shape.Scalar scalar -> out.append(scalar.kind().type().getName());
        case Shape.Box box -> node("boxed", List.of(box.kind().type().getName()));
        case Shape.Text _ -> out.append("string");
        case Shape.Constant constant -> node("enum " + constant.type().getName(), constant.names());
        case Shape.Array array -> node("array", List.of(array.element().type().getName()));
        case Shape.ListOf list -> children("list", List.of("element"), List.of(list.element()));
        case Shape.SetOf set -> children("set", List.of("element"), List.of(set.element()));
        case Shape.MapOf map ->
            children("map", List.of("key", "value"), List.of(map.key(), map.value()));
        case Shape.Maybe maybe -> children("optional", List.of("value"), List.of(maybe.value()));
        case Shape.Choice choice -> choice(choice);
        case Shape.Product product -> product(product);
      }
    }

    private void choice(Shape.Choice choice) {
      String head = "sealed " + choice.name();
      if (!told.add(choice)) {
        out.append(head);
        return;
      }
      List<String> tags =
          IntStream.range(0, choice.options().size()).mapToObj(Integer::toString).toList();
      children(head, tags, choice.options());
    }

    private void product(Shape.Product product) {
      String head = "record " + product.name();
      if (!told.add(product)) {
        out.append(head);
        return;
      }
      children(
          head,
          product.components().stream().map(Shape.Component::name).toList(),
          product.components().stream().map(Shape.Component::shape).toList());
    }

    private void node(String head, List<String> leaves) {
      out.append(head).append('(').append(String.join(",", leaves)).append(')');
    }

    private void children(String head, List<String> labels, List<? extends Shape> shapes) {
      out.append(head).append('(');
      for (int i = 0; i < shapes.size(); i++) {
        out.append(i == 0 ? "" : ",").append(labels.get(i)).append(':');
        spell(shapes.get(i));
      }
      out.append(')');
    }
  }
}
