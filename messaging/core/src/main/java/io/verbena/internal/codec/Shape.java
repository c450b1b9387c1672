// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a component is made of, as the codec generator needs it; read from its class once. */
sealed interface Shape {

  /** A primitive type of the language and its size on the wire. */
  enum Kind {
    BOOLEAN(boolean.class, Boolean.class, 1),
    BYTE(byte.class, Byte.class, 1),
    SHORT(short.class, Short.class, 2),
    CHAR(char.class, Character.class, 2),
    INT(int.class, Integer.class, 4),
    LONG(long.class, Long.class, 8),
    FLOAT(float.class, Float.class, 4),
    DOUBLE(double.class, Double.class, 8);

    private final Class<?> type;
    private final Class<?> box;
    private final int sizeBytes;

    Kind(Class<?> type, Class<?> box, int sizeBytes) {
      this.type = type;
      this.box = box;
      this.sizeBytes = sizeBytes;
    }

    Class<?> type() {
      return type;
    }

    Class<?> box() {
      return box;
    }

    int sizeBytes() {
      return sizeBytes;
    }

    static Optional<Kind> ofPrimitive(Class<?> type) {
      return Arrays.stream(values()).filter(kind -> kind.type == type).findFirst();
    }

    static Optional<Kind> ofBox(Class<?> type) {
      return Arrays.stream(values()).filter(kind -> kind.box == type).findFirst();
    }
  }

  /** The class its values have in generated code, where user classes may not be accessible. */
  Class<?> carrier();

  /** The bytes every value takes, or -1 if that depends on the value. */
  default int fixedLength() {
    return -1;
  }

  /** A primitive. */
  record Scalar(Kind kind) implements Shape {
    @Override
    public Class<?> carrier() {
      return kind.type();
    }

    @Override
    public int fixedLength() {
      return kind.sizeBytes();
    }
  }

  /** A boxed primitive, or null. */
  record Box(Kind kind) implements Shape {
    @Override
    public Class<?> carrier() {
      return kind.box();
    }
  }

  /** A String, or null. */
  record Text() implements Shape {
    @Override
    public Class<?> carrier() {
      return String.class;
    }
  }

  /**
   * An enum constant, or null.
   *
   * @param values the constants by their number on the wire; null stands for a constant that only a
   *     peer's version of the enum has
   * @param isPeers whether the numbers are those of a peer's version
   */
  record Constant(Class<?> type, List<@Nullable Enum<?>> values, boolean isPeers) implements Shape {
    @Override
    public Class<?> carrier() {
      return Enum.class;
    }

    /** One byte for up to 255 constants, as null has code 0; else two. */
    @Override
    public int fixedLength() {
      return values.size() <= 255 ? 1 : 2;
    }

    List<String> names() {
      List<String> names = new ArrayList<>();
      for (Enum<?> value : values) {
        if (value != null) {
          names.add(value.name());
        }
      }
      return names;
    }
  }

  /** An array of primitives, or null. */
  record Array(Kind element) implements Shape {
    @Override
    public Class<?> carrier() {
      return element.type().arrayType();
    }
  }

  /** A List, or null. */
  record ListOf(Shape element) implements Shape {
    @Override
    public Class<?> carrier() {
      return List.class;
    }
  }

  /** A Set, or null. */
  record SetOf(Shape element) implements Shape {
    @Override
    public Class<?> carrier() {
      return Set.class;
    }
  }

  /** A Map, or null. */
  record MapOf(Shape key, Shape value) implements Shape {
    @Override
    public Class<?> carrier() {
      return Map.class;
    }
  }

  /** An Optional, or null. */
  record Maybe(Shape value) implements Shape {
    @Override
    public Class<?> carrier() {
      return Optional.class;
    }
  }

  /**
   * One named component of a record.
   *
   * @param fallback its value if the peer does not write it
   * @param isWritten whether it is in the bytes: false if the peer's version does not have it
   */
  record Component(
      String name, Shape shape, Class<?> type, @Nullable Object fallback, boolean isWritten) {

    Component(String name, Shape shape, Class<?> type, @Nullable Object fallback) {
      this(name, shape, type, fallback, true);
    }

    /** This component in messages of a peer whose version does not have it. */
    Component missing() {
      return new Component(name, shape, type, fallback, false);
    }

    /** The bytes it takes, or -1 if that depends on the value. */
    int fixedLength() {
      return isWritten ? shape.fixedLength() : 0;
    }
  }

  /** A sealed interface of records; compared by identity because it may contain itself. */
  final class Choice implements Shape {
    private final String name;
    private List<Product> options = List.of();
    private List<Integer> tags = List.of();
    private int tagCount;

    Choice(String name) {
      this.name = name;
    }

    String name() {
      return name;
    }

    /** The permitted records. */
    List<Product> options() {
      return options;
    }

    /** The number on the wire of the option with this index. */
    int tag(int index) {
      return tags.get(index);
    }

    /** How many numbers there are on the wire; a peer's version may have more than options. */
    int tagCount() {
      return tagCount;
    }

    void complete(List<Product> permitted) {
      complete(permitted, IntStream.range(0, permitted.size()).boxed().toList(), permitted.size());
    }

    /** Completes the shape with the numbers of a peer's version. */
    void complete(List<Product> permitted, List<Integer> numbers, int count) {
      options = List.copyOf(permitted);
      tags = List.copyOf(numbers);
      tagCount = count;
    }

    @Override
    public Class<?> carrier() {
      return Object.class;
    }
  }

  /** A record; compared by identity because it may contain itself. */
  final class Product implements Shape {
    private final String name;
    private final Class<?> type;
    private List<Component> components = List.of();
    private Skip.Body surplus = new Skip.Body();
    private boolean recursive;

    Product(String name, Class<?> type) {
      this.name = name;
      this.type = type;
    }

    /** The binary name, with type arguments if it has any. */
    String name() {
      return name;
    }

    Class<?> type() {
      return type;
    }

    List<Component> components() {
      return components;
    }

    /** Whether a value of it can contain another value of it. */
    boolean recursive() {
      return recursive;
    }

    void complete(List<Component> all) {
      components = List.copyOf(all);
    }

    /** Completes the shape with the components that a peer's version writes. */
    void complete(List<Component> all, Skip.Body onlyPeers) {
      complete(all);
      surplus = onlyPeers;
    }

    /** The components that only a peer's version has; they come last. */
    Skip.Body surplus() {
      return surplus;
    }

    /** Whether a component is not in the bytes. */
    boolean isMissingSome() {
      return components.stream().anyMatch(c -> !c.isWritten());
    }

    void markRecursive() {
      recursive = true;
    }

    /** The bytes of the components of fixed length, which come first. */
    int fixedPartLength() {
      return components.stream().mapToInt(c -> Math.max(0, c.fixedLength())).sum()
          + surplus.fixedPartBytes();
    }

    /** The bytes of the body of every value, or -1 if that depends on the value. */
    int fixedBodyLength() {
      boolean fixed = components.stream().allMatch(c -> c.fixedLength() >= 0);
      return fixed && surplus.variable().length == 0 ? fixedPartLength() : -1;
    }

    @Override
    public Class<?> carrier() {
      return Object.class;
    }
  }
}
