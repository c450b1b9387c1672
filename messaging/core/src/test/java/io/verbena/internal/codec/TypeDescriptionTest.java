// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.Codec;
import io.verbena.MessageTypes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TypeDescriptionTest {

  enum Color {
    RED,
    GREEN
  }

  record Item(String name, double price) {}

  record Order(
      int id,
      Long customer,
      byte[] data,
      List<Item> items,
      Set<Color> colors,
      Map<String, Optional<Item>> extra) {}

  sealed interface Figure permits Circle, Group {}

  record Circle(double radius) implements Figure {}

  record Group(List<Figure> parts) implements Figure {}

  record Drawing(Figure figure) {}

  private static final String NAME = TypeDescriptionTest.class.getName() + "$";

  @Test
  void aTypeIsSpelledOutDownToItsPrimitives() {
    String description = MessageTypes.builder().add(3, Order.class).build().description();
    assertThat(description.replace(NAME, ""))
        .isEqualTo(
            "verbena message bodies 1\n"
                + "3 record Order(id:int,customer:boxed(long),data:array(byte),"
                + "items:list(element:record Item(name:string,price:double)),"
                + "colors:set(element:enum Color(RED,GREEN)),"
                + "extra:map(key:string,value:optional(value:record Item)))\n");
  }

  @Test
  void whatContainsItselfIsSpelledOutOnce() {
    String description = MessageTypes.builder().add(3, Drawing.class).build().description();
    assertThat(description.replace(NAME, ""))
        .contains(
            "figure:sealed Figure(0:record Circle(radius:double),"
                + "1:record Group(parts:list(element:sealed Figure)))");
  }

  @Test
  void linesAreOrderedByIdAndQuoted() {
    MessageTypes types =
        MessageTypes.builder()
            .addView(9, "a \"view\"\nof two lines")
            .add(2, Item.class, new ItemCodec("price first (v2)"))
            .build();
    assertThat(types.description().replace(NAME, ""))
        .isEqualTo(
            "verbena message bodies 1\n"
                + "2 codec Item(layout:\"price first (v2)\")\n"
                + "9 view \"a \\u0022view\\u0022\\u000aof two lines\"\n");
  }

  @Test
  void theFingerprintIsThatOfTheDescription() {
    MessageTypes types = MessageTypes.builder().addView(1, "bytes").build();
    assertThat(types.description()).isEqualTo("verbena message bodies 1\n1 view \"bytes\"\n");
    assertThat(types.fingerprint()).isEqualTo(FROZEN);
    assertThat(MessageTypes.builder().addView(2, "bytes").build().fingerprint())
        .isNotEqualTo(types.fingerprint());
  }

  /** printf 'verbena message bodies 1\n1 view "bytes"\n' | sha256sum | cut -c1-16. */
  private static final long FROZEN = 0xc0ccfd2e8a728f63L;

  @Test
  void differencesNameTypeAndComponent() {
    assertDifference(
        "3 record Order(id:int,item:record Item(price:double))",
        "3 record Order(id:int,item:record Item(price:float))",
        "type 3 (Order): component item.price is double here and float there");
    assertDifference(
        "3 record Order(id:int)",
        "3 record Order(number:int)",
        "type 3 (Order): component id here is component number there");
    assertDifference(
        "3 record Order(id:int)",
        "3 record Order(id:int,name:string)",
        "type 3 (Order): component name does not exist here");
    assertDifference(
        "3 record Order(id:int,name:string)",
        "3 record Order(id:int)",
        "type 3 (Order): component name does not exist there");
    assertDifference(
        "3 record Order(all:list(element:int))",
        "3 record Order(all:set(element:int))",
        "type 3 (Order): component all is list here and set there");
  }

  @Test
  void differencesNameConstantsAndTags() {
    assertDifference(
        "3 record Car(color:enum Color(RED,GREEN))",
        "3 record Car(color:enum Color(RED,BLUE))",
        "type 3 (Car): color GREEN here is BLUE there");
    assertDifference(
        "3 record Car(color:enum Color(RED))",
        "3 record Car(color:enum Color(RED,BLUE))",
        "type 3 (Car): color BLUE does not exist here");
    assertDifference(
        "3 record A(f:sealed F(0:record B(),1:record C()))",
        "3 record A(f:sealed F(0:record B(),1:record D()))",
        "type 3 (A): component f.1 is record C here and record D there");
  }

  @Test
  void differencesNameMissingAndOtherTypes() {
    assertDifference("1 record A()", "", "type 1 (A) is not registered there");
    assertDifference("", "1 record A()", "type 1 (A) is not registered here");
    assertDifference("1 record A()", "1 record B()", "type 1 is record A here and record B there");
    assertDifference(
        "1 codec A(layout:\"v1\")",
        "1 codec A(layout:\"v2\")",
        "type 1 (A): component layout is \"v1\" here and \"v2\" there");
    assertThat(MessageTypes.firstDifference("verbena message bodies 1\n", "other 2\n"))
        .isEqualTo("the encoding is 'verbena message bodies 1' here and 'other 2' there");
    assertThat(MessageTypes.firstDifference("a", "a")).isEqualTo("the type tables are the same");
  }

  @Test
  void bothSidesSeeTheSameDifferenceFromTheirOwnSide() {
    String mine = MessageTypes.builder().add(3, Order.class).build().description();
    String theirs = mine.replace("price:double", "price:long");
    assertThat(MessageTypes.firstDifference(mine, theirs))
        .isEqualTo(
            "type 3 (%sOrder): component items.element.price is double here and long there"
                .formatted(NAME));
    assertThat(MessageTypes.firstDifference(theirs, mine)).contains("long here and double there");
  }

  @Test
  void textThatIsNoDescriptionIsComparedAllTheSame() {
    String mine = MessageTypes.builder().add(3, Order.class).build().description();
    String head = "verbena message bodies 1\n";
    for (String theirs :
        List.of(
            "",
            head,
            head + "3",
            head + "3 ",
            head + "3 ((((((",
            head + "3 record x" + "(a:".repeat(100_000),
            head + "99999999999 record x",
            head + "3 " + ",:)(\"".repeat(1000),
            head + "x".repeat(1_000_000))) {
      assertThat(MessageTypes.firstDifference(mine, theirs)).isNotEmpty().hasSizeLessThan(800);
      assertThat(MessageTypes.firstDifference(theirs, mine)).isNotEmpty().hasSizeLessThan(800);
    }
  }

  private static void assertDifference(String mine, String theirs, String sentence) {
    String head = "verbena message bodies 1\n";
    assertThat(MessageTypes.firstDifference(head + mine + "\n", head + theirs + "\n"))
        .isEqualTo(sentence);
  }

  private record ItemCodec(String layout) implements Codec<Item> {
    @Override
    public int length(Item message) {
      return 0;
    }

    @Override
    public void write(Item message, MemorySegment to, long offset) {}

    @Override
    public Item read(MemorySegment from, long offset, int length) {
      return new Item("", 0);
    }
  }
}
