// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.internal.codec.Samples.Arrays;
import io.verbena.internal.codec.Samples.Boxes;
import io.verbena.internal.codec.Samples.Circle;
import io.verbena.internal.codec.Samples.Color;
import io.verbena.internal.codec.Samples.Dot;
import io.verbena.internal.codec.Samples.Figure;
import io.verbena.internal.codec.Samples.Group;
import io.verbena.internal.codec.Samples.Primitives;
import io.verbena.internal.codec.Samples.Tree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The bytes of messages, frozen in {@code resources/golden}. A change here changes the wire: it
 * needs a new version line in the type description and an entry in the change log.
 */
class GoldenBytesTest {

  record Text(String text) {}

  record Texts(String first, long number, String second) {}

  record Shelf(List<String> list, Set<Integer> set, Map<String, Color> map, Optional<Text> maybe) {}

  record Drawing(Figure figure) {}

  record Nested(int before, Text text, boolean after) {}

  enum Golden {
    PRIMITIVES(
        new Primitives(
            true,
            (byte) -2,
            (short) 0x0102,
            'é',
            0x01020304,
            0x0102030405060708L,
            1.5f,
            -2.25,
            Color.BLUE)),
    BOXES(new Boxes(true, (byte) 1, null, 'x', -1, 2L, 0.5f, null)),
    ARRAYS(
        new Arrays(
            new boolean[] {true, false},
            new byte[] {1, 2, 3},
            new short[] {-1},
            new char[] {'a', '€'},
            new int[] {1, -1},
            new long[] {},
            null,
            new double[] {1.0})),
    TEXT_NULL(new Text(null)),
    TEXT_EMPTY(new Text("")),
    TEXT_ASCII(new Text("Verbena")),
    TEXT_UTF8(new Text("aé€😀")),
    TEXT_LONG(new Text("v".repeat(200))),
    FIXED_PART_FIRST(new Texts("one", 7, "two")),
    COLLECTIONS(
        new Shelf(
            List.of("a", ""),
            Set.of(5),
            new LinkedHashMap<>(Map.of("k", Color.RED)),
            Optional.of(new Text("t")))),
    COLLECTIONS_EMPTY(new Shelf(List.of(), null, Map.of(), Optional.empty())),
    NESTED(new Nested(1, new Text("in"), true)),
    NESTED_NULL(new Nested(1, null, false)),
    SEALED(new Drawing(new Group("g", List.of(new Circle(1.0), new Dot())))),
    RECURSIVE(new Tree(1, new Tree(2, null, List.of()), null));

    private final Record message;

    Golden(Record message) {
      this.message = message;
    }
  }

  @ParameterizedTest
  @EnumSource
  void bytesAreWhatTheyWere(Golden golden) throws IOException {
    assertThat(Wire.hex(Wire.encode(golden.message))).isEqualTo(frozen(golden));
  }

  @ParameterizedTest
  @EnumSource
  void bytesMeanWhatTheyDid(Golden golden) throws IOException {
    assertThat(Wire.decode(golden.message.getClass(), frozen(golden)))
        .usingRecursiveComparison()
        .ignoringCollectionOrder()
        .isEqualTo(golden.message);
  }

  private static String frozen(Golden golden) throws IOException {
    String file = "/golden/" + golden.name().toLowerCase(Locale.ROOT) + ".hex";
    try (InputStream in = GoldenBytesTest.class.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .map(line -> line.replaceAll("#.*", "").strip())
          .filter(line -> !line.isEmpty())
          .collect(Collectors.joining(" "));
    }
  }
}
