// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.Default;
import io.verbena.MessageTypes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One program in two versions: the classes of the second have all that those of the first have.
 * Their names differ by a {@code 1} or {@code 2} alone, which is not so in the descriptions.
 */
final class ProgramVersions {

  private ProgramVersions() {}

  static MessageTypes types(int version) {
    MessageTypes.Builder builder = MessageTypes.builder();
    return version == 1
        ? builder
            .add(1, V1.Order.class)
            .add(2, V1.Point.class)
            .add(3, V1.Spot.class)
            .add(4, V1.Tree.class)
            .build()
        : builder
            .add(1, V2.Order.class)
            .add(2, V2.Point.class)
            .add(3, V2.Spot.class)
            .add(4, V2.Tree.class)
            .add(5, V2.Added.class)
            .build();
  }

  /** What a node of version {@code from} would say if the classes of both had the same names. */
  static String description(int from, int to) {
    return types(from).description().replace("$V" + from + "$", "$V" + to + "$");
  }

  static PeerTypes peers(int reader, int writer) {
    return TypeTable.of(types(reader)).typesOf(description(writer, reader));
  }

  static final class V1 {
    enum Color {
      RED,
      GREEN
    }

    sealed interface Figure permits Dot, Box {}

    record Dot(int x) implements Figure {}

    record Box(Dot from, Dot to) implements Figure {}

    record Item(String name, int price) {}

    record Tree(int value, List<Tree> children) {}

    record Point(int x, byte tag) {}

    record Spot(int x) {}

    record Order(
        int id,
        Color color,
        Item item,
        List<Item> items,
        Set<Color> colors,
        Map<String, Item> byName,
        Optional<Figure> figure,
        Figure other,
        Set<Dot> dots,
        Map<Dot, Color> byDot,
        List<Spot> spots,
        Tree tree) {}
  }

  static final class V2 {
    enum Color {
      BLUE,
      RED,
      YELLOW,
      GREEN
    }

    sealed interface Figure permits Line, Dot, Box, Label {}

    record Line(Dot from, List<Dot> via) implements Figure {}

    record Dot(int x, @Default("7") int y) implements Figure {}

    record Box(Dot from, Dot to, @Default("RED") Color color) implements Figure {}

    record Label(String text) implements Figure {}

    record Item(
        String name, int price, @Default("none") String note, List<Item> parts, Double weight) {}

    record Tree(
        int value, List<Tree> children, Map<Color, Tree> more, @Default("true") boolean leaf) {}

    record Point(int x, byte tag, @Default("-3") long y, @Default("2.5") double z, float w) {}

    record Spot(int x, @Default("") String name) {}

    record Added(int x) {}

    record Order(
        int id,
        Color color,
        Item item,
        List<Item> items,
        Set<Color> colors,
        Map<String, Item> byName,
        Optional<Figure> figure,
        Figure other,
        Set<Dot> dots,
        Map<Dot, Color> byDot,
        List<Spot> spots,
        Tree tree,
        @Default("42") long stamp,
        @Default("x") char mark,
        Set<Figure> figures,
        @Default("") Map<Item, List<Optional<Figure>>> deep,
        @Default("GREEN") Color second,
        @Default("") int[] numbers,
        @Default("9") Integer boxed,
        String text,
        @Default("-1") byte small,
        @Default("300") short medium,
        @Default("") Optional<String> maybe,
        @Default("") Set<Tree> trees,
        @Default("true") boolean on,
        @Default("false") Boolean off,
        Tree last) {}
  }
}
