// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.verbena.Codec;
import io.verbena.MessageTypes;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that are no two versions of one program, and descriptions that are none at all. */
class TypeConflictTest {

  enum Color {
    RED,
    GREEN
  }

  sealed interface Figure permits Dot, Line {}

  record Dot(int x) implements Figure {}

  record Line(Dot from, Dot to) implements Figure {}

  record Deep(List<Map<String, Dot>> dots, int[] numbers, Long boxed) {}

  record Thing(int id, Color color, Figure figure, String text, Deep deep) {}

  private static final MessageTypes TYPES =
      MessageTypes.builder().add(1, Thing.class).addView(7, "raw").build();
  private static final String HEAD = "verbena message bodies 1\n";

  private static String conflict(String description) {
    return TYPES.conflictWith(description).orElse(null);
  }

  private static String changed(String from, String to) {
    String changed = TYPES.description().replace(from, to);
    assertThat(changed).as(from).isNotEqualTo(TYPES.description());
    return changed;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "id:int | id:long | component id is int here and long there",
        "id:int,color | identity:int,color | component id here is component identity there",
        "id:int, | id:int,extra:int, | component color here is component extra there",
        "text:string | text:int | component text is string here and int there",
        "boxed(long) | long | component deep.boxed is boxed(long) here and long there",
        "text:string | text:boxed(int) | component text is string here and boxed there",
        "boxed(long) | boxed(int) | component deep.boxed is boxed(long) here and boxed(int) there",
        "array(int) | array(byte) | component deep.numbers is array(int) here",
        "x:int | x:float | figure(Dot).x is int here and float there",
        "element:map | element:list | deep.dots.element is map here and list there",
        "(RED,GREEN) | (RED,BLUE) | only here there is GREEN, and only there BLUE",
        "1:record | 1:record x.Y(),2:record | the description",
        "$Color | $Hue | component color is enum",
        "view \"raw\" | view \"cooked\" | type 7 (raw) is view",
        "1 record | 2 record | is type 1 here and type 2 there",
      })
  void namesTheFirstDifference(String from, String to, String words) {
    String said = conflict(changed(from, to));
    if (words.equals("the description")) {
      assertThat(said).isNull(); // one record more: an allowed difference
    } else {
      assertThat(said).contains(words);
    }
  }

  @Test
  void bothSidesJudgeAlike() {
    MessageTypes one = ProgramVersions.types(1);
    MessageTypes two = ProgramVersions.types(2);
    assertThat(one.conflictWith(ProgramVersions.description(2, 1))).isEmpty();
    assertThat(two.conflictWith(ProgramVersions.description(1, 2))).isEmpty();
  }

  @Test
  void anotherLayoutOfAHandWrittenCodecIsAConflict() {
    MessageTypes mine = MessageTypes.builder().add(1, Dot.class, new DotCodec("1")).build();
    MessageTypes theirs = MessageTypes.builder().add(1, Dot.class, new DotCodec("2")).build();
    assertThat(mine.conflictWith(theirs.description()).orElseThrow())
        .contains("type 1", "layout:\"1\"", "layout:\"2\"");
    MessageTypes generated = MessageTypes.builder().add(1, Dot.class).build();
    assertThat(mine.conflictWith(generated.description())).isPresent();
    assertThat(generated.conflictWith(mine.description())).isPresent();
  }

  private record DotCodec(String layout) implements Codec<Dot> {
    @Override
    public int length(Dot message) {
      return 4;
    }

    @Override
    public void write(Dot message, MemorySegment to, long offset) {}

    @Override
    public Dot read(MemorySegment from, long offset, int length) {
      return new Dot(0);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "verbena message bodies 2\n",
        HEAD + "x",
        HEAD + "1\n",
        HEAD + " \n",
        HEAD + "1 \n",
        HEAD + "70000 view \"x\"\n",
        HEAD + "999999999999 view \"x\"\n",
        HEAD + "2 view \"x\"\n1 view \"y\"\n",
        HEAD + "2 view \"x\"\n2 view \"x\"\n",
        HEAD + "1 record io.verbena.internal.codec.TypeConflictTest$Thing\n",
        HEAD + "1 record io.verbena.internal.codec.TypeConflictTest$Thing(\n",
        HEAD + "1 record io.verbena.internal.codec.TypeConflictTest$Thing(id:int))\n",
        HEAD + "1 record io.verbena.internal.codec.TypeConflictTest$Thing(id:int,color:enum)\n",
      })
  void textsThatAreNoDescriptionAreConflicts(String text) {
    assertThat(conflict(text)).isNotEmpty().hasSizeLessThan(1000);
  }

  private static String surplus(String component) {
    String own = TYPES.description();
    int end = own.indexOf("\n7 ");
    return own.substring(0, end - 1) + ",more:" + component + ")" + own.substring(end);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense",
        "list",
        "list()",
        "list(element:int,element:int)",
        "map(key:int)",
        "boxed(string)",
        "array(element:string)",
        "record nowhere.Named",
        "sealed x.Y(0:int)",
        "record x.Y(a:record x.Y(b:int))",
        "optional(value:)",
      })
  void aSurplusThatCannotBePassedOverIsAConflict(String component) {
    assertThat(conflict(surplus(component))).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int",
        "boxed(long)",
        "enum x.Y()",
        "record x.Empty()",
        "record x.Node(next:record x.Node)",
        "sealed x.Y(0:record x.A(all:list(element:sealed x.Y)),1:record x.B(i:int))",
        "set(element:optional(value:map(key:string,value:array(double))))",
      })
  void aSurplusThatCanBePassedOverIsNone(String component) {
    assertThat(conflict(surplus(component))).isNull();
  }

  @Test
  void hugeDescriptionsAreJudgedInLinearTimeAndBoundedMemory() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          assertThat(conflict(surplus("list(element:".repeat(100_000)))).isNotEmpty();
          assertThat(conflict(surplus("record x.Y(" + "a:int,".repeat(600_000) + "b:int)")))
              .isNotEmpty();
          assertThat(conflict(HEAD + "(".repeat(4_000_000))).isNotEmpty();
          assertThat(conflict(surplus("enum x.Y(" + "A,".repeat(100_000) + "B)"))).isNull();
          StringBuilder chain = new StringBuilder("record x.R0(");
          for (int i = 1; i < 20_000; i++) {
            chain
                .append("a")
                .append(i)
                .append(":optional(value:record x.R")
                .append(i)
                .append("()),");
          }
          assertThat(conflict(surplus(chain + "z:int)"))).isNull();
          StringBuilder types = new StringBuilder(HEAD);
          for (int i = 0; i < 65_536; i++) {
            types.append(i == 1 || i == 7 ? "" : i + " view \"v" + i + "\"\n");
          }
          assertThat(conflict(types.toString())).isNull();
        });
  }

  /** Whatever the text, it is judged: nothing is thrown and nothing hangs. */
  @Property(tries = 300)
  void mutatedDescriptionsAreJudged(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder(ProgramVersions.description(2, 1));
    String alphabet = "(),: \n\"$x1record sealed enum list";
    for (int i = random.nextInt(1, 6); i > 0; i--) {
      int at = random.nextInt(HEAD.length(), text.length());
      int end = Math.min(text.length(), at + random.nextInt(1, 30));
      switch (random.nextInt(4)) {
        case 0 -> text.delete(at, end);
        case 1 -> text.insert(at, alphabet.charAt(random.nextInt(alphabet.length())));
        case 2 -> text.insert(at, text.substring(at, end));
        default -> text.setCharAt(at, alphabet.charAt(random.nextInt(alphabet.length())));
      }
    }
    TypeTable mine = TypeTable.of(ProgramVersions.types(1));
    String conflict = mine.conflictWith(text.toString());
    if (conflict == null) {
      PeerTypes types = mine.typesOf(text.toString());
      for (int id = 1; id < 5; id++) {
        assertThat(types.codec(id)).isNotNull();
      }
    }
  }
}
