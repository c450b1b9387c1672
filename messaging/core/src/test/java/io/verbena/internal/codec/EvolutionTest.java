// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.Default;
import io.verbena.IncompatibleMessageException;
import io.verbena.MalformedMessageException;
import io.verbena.MessageTypes;
import io.verbena.UnsupportedTypeException;
import io.verbena.internal.codec.ProgramVersions.V1;
import io.verbena.internal.codec.ProgramVersions.V2;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.junit.jupiter.api.Test;

/** Messages between two versions of a program: each reads what the other writes. */
class EvolutionTest {

  private static final TypeTable[] TABLES = {
    TypeTable.of(ProgramVersions.types(1)), TypeTable.of(ProgramVersions.types(2))
  };
  private static final PeerTypes[] OF_THE_OTHER = {
    TABLES[0].typesOf(ProgramVersions.description(2, 1)),
    TABLES[1].typesOf(ProgramVersions.description(1, 2))
  };

  private static TypeTable table(int version) {
    return TABLES[version - 1];
  }

  /** What a node reads from a node of the other version. */
  private static Record pass(Record message, int writer) {
    MessageCodec mine = table(writer).codecOf(message.getClass());
    return read(mine.typeId(), Wire.encode(mine, message), writer);
  }

  private static Record read(int typeId, byte[] bytes, int writer) {
    return Wire.decode(OF_THE_OTHER[2 - writer].codec(typeId), bytes);
  }

  @Property(tries = 400)
  void whatOneVersionWritesTheOtherReads(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 2) int writer) {
    SplittableRandom random = new SplittableRandom(seed);
    int typeId = random.nextInt(1, 5);
    Record message =
        (Record) ReflectedVersions.random(table(writer).codec(typeId).type(), random, 0);
    Object expected;
    try {
      expected = ReflectedVersions.project(message, table(3 - writer).codec(typeId).type());
    } catch (ReflectedVersions.NoWordsException e) {
      assertThatThrownBy(() -> pass(message, writer))
          .isInstanceOf(IncompatibleMessageException.class);
      return;
    }
    assertThat(pass(message, writer))
        .usingRecursiveComparison(
            RecursiveComparisonConfiguration.builder().withStrictTypeChecking(false).build())
        .isEqualTo(expected);
  }

  /** Nothing beside the two exceptions, and no byte beyond the message is read. */
  @Property(tries = 200)
  void mutatedMessagesAreReadOrRefused(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 2) int writer) {
    SplittableRandom random = new SplittableRandom(seed);
    int typeId = random.nextInt(1, 5);
    MessageCodec mine = table(writer).codec(typeId);
    byte[] bytes = Wire.encode(mine, (Record) ReflectedVersions.random(mine.type(), random, 0));
    for (int i = 0; i < 20; i++) {
      byte[] changed = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      if (changed.length > 0) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      try {
        read(typeId, changed, writer);
      } catch (MalformedMessageException | IncompatibleMessageException e) {
        assertThat(e).hasMessageContaining("ProgramVersions");
      }
    }
  }

  @Test
  void componentsThatThePeerDoesNotWriteHaveTheirDefault() {
    assertThat(pass(new V1.Point(5, (byte) 6), 1)).isEqualTo(new V2.Point(5, (byte) 6, -3, 2.5, 0));
    assertThat(pass(new V1.Spot(5), 1)).isEqualTo(new V2.Spot(5, ""));
    assertThat(pass(new V1.Tree(1, null), 1)).isEqualTo(new V2.Tree(1, null, null, true));
  }

  @Test
  void componentsThatOnlyThePeerHasArePassedOver() {
    assertThat(pass(new V2.Point(5, (byte) 6, 7, 8, 9), 2)).isEqualTo(new V1.Point(5, (byte) 6));
    assertThat(pass(new V2.Spot(5, "name"), 2)).isEqualTo(new V1.Spot(5));
    V2.Tree leaf = new V2.Tree(2, null, null, false);
    V2.Tree tree = new V2.Tree(1, List.of(leaf), Map.of(V2.Color.BLUE, leaf), true);
    assertThat(pass(tree, 2)).isEqualTo(new V1.Tree(1, List.of(new V1.Tree(2, null))));
  }

  private static V2.Order order(V2.Color color, V2.Figure figure) {
    return new V2.Order(
        1, color, null, null, null, null, null, figure, null, null, null, null, 0, 'a', null, null,
        null, null, null, null, (byte) 0, (short) 0, null, null, false, null, null);
  }

  @Test
  void constantsAndRecordsAreMatchedByName() {
    V1.Order read = (V1.Order) pass(order(V2.Color.GREEN, new V2.Dot(3, 4)), 2);
    assertThat(read.color()).isEqualTo(V1.Color.GREEN);
    assertThat(read.other()).isEqualTo(new V1.Dot(3));
  }

  @Test
  void anUnknownConstantConcernsItsMessageAlone() {
    assertThatThrownBy(() -> pass(order(V2.Color.YELLOW, null), 2))
        .isInstanceOf(IncompatibleMessageException.class)
        .hasMessageContaining("Order.color")
        .hasMessageContaining("constant");
  }

  @Test
  void anUnknownRecordOfASealedInterfaceConcernsItsMessageAlone() {
    assertThatThrownBy(() -> pass(order(V2.Color.RED, new V2.Label("x")), 2))
        .isInstanceOf(IncompatibleMessageException.class)
        .hasMessageContaining("Figure");
  }

  @Test
  void whatIsOnlyEqualHereConcernsItsMessageAlone() {
    V2.Order order =
        new V2.Order(
            1,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            Set.of(new V2.Dot(1, 1), new V2.Dot(1, 2)),
            null,
            null,
            null,
            0,
            'a',
            null,
            null,
            null,
            null,
            null,
            null,
            (byte) 0,
            (short) 0,
            null,
            null,
            false,
            null,
            null);
    assertThatThrownBy(() -> pass(order, 2))
        .isInstanceOf(IncompatibleMessageException.class)
        .hasMessageContaining("Order.dots");
  }

  @Test
  void aConstructorThatRefusesADefaultConcernsItsMessageAlone() {
    MessageTypes types = MessageTypes.builder().add(1, Strict.class).build();
    String older = types.description().replace(",name:string", "");
    assertThat(older).isNotEqualTo(types.description());
    MessageCodec codec = TypeTable.of(types).typesOf(older).codec(1);
    assertThatThrownBy(() -> Wire.decode(codec, new byte[] {5, 0, 0, 0}))
        .isInstanceOf(IncompatibleMessageException.class)
        .hasMessageContaining("NullPointerException");
    assertThatThrownBy(() -> Wire.decode(codec, new byte[] {5, 0, 0}))
        .isInstanceOf(MalformedMessageException.class);
  }

  record Strict(int id, String name) {
    Strict {
      Objects.requireNonNull(name);
    }
  }

  @Test
  void knowsWhatThePeerKnows() {
    PeerTypes older = OF_THE_OTHER[1];
    assertThat(older.knows(1)).isTrue();
    assertThat(older.knows(5)).isFalse();
    assertThat(OF_THE_OTHER[0].knows(5)).isTrue();
    assertThat(OF_THE_OTHER[0].codec(5)).isNull();
    assertThat(table(1).ownTypes().knows(65_535)).isTrue();
  }

  @Test
  void aTableThatComesAgainIsNotMadeAgain() {
    TypeTable mine = TypeTable.of(ProgramVersions.types(1));
    PeerTypes first = mine.typesOf(ProgramVersions.description(2, 1));
    assertThat(mine.typesOf(ProgramVersions.description(2, 1))).isSameAs(first);
    assertThat(first.codec(1)).isSameAs(first.codec(1));
    for (int i = 0; i < 100; i++) {
      mine.typesOf(mine.description() + (100 + i) + " view \"filler\"\n");
    }
    assertThat(mine.typesOf(ProgramVersions.description(2, 1))).isNotSameAs(first);
  }

  @Test
  void typesWithTheSameTextAreReadByTheOwnCodec() {
    TypeTable mine = TypeTable.of(ProgramVersions.types(1));
    PeerTypes more = mine.typesOf(mine.description() + "100 view \"more\"\n");
    assertThat(more.codec(1)).isSameAs(mine.codec(1));
    assertThat(more.differs(1)).isFalse();
  }

  record BadNumber(@Default("five") int count) {}

  record BadConstant(@Default("MAUVE") V1.Color color) {}

  record BadList(@Default("a, b") List<String> names) {}

  record BadRecord(@Default("") V1.Dot dot) {}

  record BadBoolean(@Default("yes") boolean on) {}

  @Test
  void defaultsThatAComponentCannotHaveAreRefused() {
    for (Class<? extends Record> type :
        List.of(
            BadNumber.class, BadConstant.class, BadList.class, BadRecord.class, BadBoolean.class)) {
      assertThatThrownBy(() -> MessageTypes.builder().add(1, type))
          .isInstanceOf(UnsupportedTypeException.class)
          .hasMessageContaining(type.getSimpleName() + ".")
          .hasMessageContaining("@Default(");
    }
  }

  @Test
  void defaultsAreNotPartOfTheDescription() {
    assertThat(ProgramVersions.types(2).description()).doesNotContain("42").doesNotContain("none");
  }

  @Test
  void programsCanBeHeldAgainstTheirReleasedVersion() {
    MessageTypes mine = ProgramVersions.types(2);
    assertThat(mine.conflictWith(mine.description())).isEqualTo(Optional.empty());
    assertThat(mine.conflictWith(ProgramVersions.description(1, 2))).isEmpty();
    assertThat(mine.conflictWith(mine.description().replace("price:int", "price:long")))
        .hasValueSatisfying(
            why -> assertThat(why).contains("type 1", "item.price", "int here and long there"));
  }
}
