// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Records with every kind of component, and random values of them. */
final class Samples {

  enum Color {
    RED,
    GREEN,
    BLUE {
      @Override
      public String toString() {
        return "a constant with a class of its own";
      }
    }
  }

  /** All primitives: of fixed length, and generated code may name it. */
  public record Primitives(
      boolean z, byte b, short s, char c, int i, long l, float f, double d, Color color) {}

  record Boxes(
      @Nullable Boolean z,
      @Nullable Byte b,
      @Nullable Short s,
      @Nullable Character c,
      @Nullable Integer i,
      @Nullable Long l,
      @Nullable Float f,
      @Nullable Double d) {}

  record Arrays(
      boolean @Nullable [] z,
      byte @Nullable [] b,
      short @Nullable [] s,
      char @Nullable [] c,
      int @Nullable [] i,
      long @Nullable [] l,
      float @Nullable [] f,
      double @Nullable [] d) {}

  private record Hidden(int x, @Nullable String name) {}

  record Pair<A, B>(A first, @Nullable List<B> second) {}

  sealed interface Figure permits Circle, Group, Marker {}

  record Circle(double radius) implements Figure {}

  record Group(@Nullable String name, @Nullable List<Figure> parts) implements Figure {}

  sealed interface Marker extends Figure permits Dot {}

  record Dot() implements Marker {}

  record Tree(int value, @Nullable Tree left, @Nullable List<Tree> others) {}

  record Collections(
      @Nullable List<@Nullable Color> colors,
      @Nullable Set<String> names,
      @Nullable Map<String, @Nullable List<@Nullable Integer>> numbers,
      @Nullable Optional<Hidden> maybe,
      @Nullable List<@Nullable Optional<Set<Long>>> nested) {}

  record Everything(
      Primitives primitives,
      @Nullable String text,
      @Nullable Boxes boxes,
      @Nullable Arrays arrays,
      @Nullable Collections collections,
      @Nullable Figure figure,
      @Nullable Tree tree,
      @Nullable Color color,
      @Nullable Pair<String, Hidden> pair) {}

  private static final String[] TEXTS = {
    "",
    "a",
    "seven77",
    "eight888",
    "exactly 16 chars",
    "a text of thirty-three characters",
    "ä",
    "grüße",
    "€uro",
    "\u0000",
    "日本語",
    "emoji 😀 outside the plane",
    "x".repeat(127),
    "y".repeat(1025),
    "ÿ".repeat(600)
  };

  private final Random random;

  Samples(long seed) {
    this.random = new Random(seed);
  }

  Everything everything() {
    return new Everything(
        primitives(),
        maybe(this::text),
        maybe(this::boxes),
        maybe(this::arrays),
        maybe(this::collections),
        maybe(() -> figure(3)),
        maybe(() -> tree(4)),
        maybe(this::color),
        maybe(() -> new Pair<>(text(), maybe(() -> list(this::hidden)))));
  }

  Primitives primitives() {
    return new Primitives(
        random.nextBoolean(),
        (byte) random.nextInt(),
        (short) random.nextInt(),
        (char) random.nextInt(),
        random.nextInt(),
        random.nextLong(),
        random.nextFloat(),
        random.nextDouble(),
        color());
  }

  Boxes boxes() {
    return new Boxes(
        maybe(random::nextBoolean),
        maybe(() -> (byte) random.nextInt()),
        maybe(() -> (short) random.nextInt()),
        maybe(() -> (char) random.nextInt()),
        maybe(random::nextInt),
        maybe(random::nextLong),
        maybe(random::nextFloat),
        maybe(random::nextDouble));
  }

  Arrays arrays() {
    byte[] bytes = new byte[random.nextInt(200)];
    random.nextBytes(bytes);
    return new Arrays(
        maybe(() -> new boolean[] {random.nextBoolean(), random.nextBoolean()}),
        maybe(() -> bytes),
        maybe(() -> new short[] {(short) random.nextInt()}),
        maybe(() -> "chars".toCharArray()),
        maybe(() -> random.ints(random.nextInt(5)).toArray()),
        maybe(() -> random.longs(random.nextInt(5)).toArray()),
        maybe(() -> new float[] {random.nextFloat(), 0}),
        maybe(() -> random.doubles(random.nextInt(5)).toArray()));
  }

  Collections collections() {
    return new Collections(
        maybe(() -> list(() -> maybe(this::color))),
        maybe(() -> new HashSet<>(list(this::text))),
        maybe(() -> map(() -> maybe(() -> list(() -> maybe(random::nextInt))))),
        maybe(() -> random.nextBoolean() ? Optional.of(hidden()) : Optional.empty()),
        maybe(() -> list(() -> maybe(() -> Optional.of(Set.of(random.nextLong()))))));
  }

  Figure figure(int depth) {
    return switch (random.nextInt(depth == 0 ? 2 : 3)) {
      case 0 -> new Circle(random.nextDouble());
      case 1 -> new Dot();
      default ->
          new Group(maybe(this::text), maybe(() -> list(() -> maybe(() -> figure(depth - 1)))));
    };
  }

  Tree tree(int depth) {
    return new Tree(
        random.nextInt(),
        depth == 0 ? null : maybe(() -> tree(depth - 1)),
        depth == 0 ? null : maybe(() -> list(() -> maybe(() -> tree(depth / 2)))));
  }

  private Hidden hidden() {
    return new Hidden(random.nextInt(), maybe(this::text));
  }

  private Color color() {
    return Color.values()[random.nextInt(3)];
  }

  private String text() {
    return TEXTS[random.nextInt(TEXTS.length)];
  }

  private <T> Map<String, T> map(Supplier<T> values) {
    Map<String, T> made = new HashMap<>();
    list(this::text).forEach(key -> made.put(key, values.get()));
    return made;
  }

  private <T> List<T> list(Supplier<T> elements) {
    List<T> made = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      made.add(elements.get());
    }
    return made;
  }

  private <T> @Nullable T maybe(Supplier<T> value) {
    return random.nextInt(4) == 0 ? null : value.get();
  }
}
