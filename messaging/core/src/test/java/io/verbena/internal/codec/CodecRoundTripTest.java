// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.MessageTypes;
import io.verbena.internal.codec.Samples.Color;
import io.verbena.internal.codec.Samples.Primitives;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodecRoundTripTest {

  record Text(@Nullable String text) {}

  private static final MessageCodec TEXT = Wire.codecOf(Text.class);

  record Nothing() {}

  record Words(@Nullable List<@Nullable String> words) {}

  record Names(@Nullable Set<String> names) {}

  record Counts(@Nullable Map<String, Long> counts) {}

  record Chain(int value, @Nullable Chain next) {}

  record Maybe(@Nullable Optional<String> value) {}

  record Bytes(byte @Nullable [] bytes) {}

  record Wildcards(List<? extends Text> texts, Samples.Pair<List<Text>, Color> pair) {}

  sealed interface Result<T> permits Success, Failure {}

  record Success<T>(T value) implements Result<T> {}

  record Failure<T>(String why) implements Result<T> {}

  record Answer(Result<Text> result) {}

  @Test
  void primitivesAndEnumsTakeAFixedLength() {
    MessageCodec codec = Wire.codecOf(Primitives.class);
    assertThat(codec.fixedLength()).isEqualTo(1 + 1 + 2 + 2 + 4 + 8 + 4 + 8 + 1);
    Primitives extremes =
        new Primitives(
            true,
            Byte.MIN_VALUE,
            Short.MIN_VALUE,
            '\uffff',
            Integer.MIN_VALUE,
            Long.MIN_VALUE,
            Float.NaN,
            Double.NEGATIVE_INFINITY,
            null);
    assertThat(roundTrip(extremes)).isEqualTo(extremes);
    assertThat(codec.length(extremes)).isEqualTo(codec.fixedLength());
  }

  private record Inner(int x, Color color) {}

  private record Outer(Inner first, byte b, long l) {} // generated code cannot name it

  @Test
  void typedSendersWriteWhatCodecsWrite() {
    for (Record message :
        List.of(
            new Primitives(true, (byte) 2, (short) 3, '4', 5, 6, 7, 8, Color.BLUE),
            new Inner(1, Color.RED),
            new Nothing())) {
      MessageCodec codec = Wire.codecOf(message.getClass());
      OneTurn turn = new OneTurn(codec.fixedLength());
      codec.typedSender(turn).send(message);
      assertThat(turn.published).isTrue();
      assertThat(turn.segment.asSlice(8, codec.fixedLength()).toArray(ValueLayout.JAVA_BYTE))
          .isEqualTo(Wire.encode(message));
    }
    assertThat(Wire.codecOf(Text.class).typedSender(new OneTurn(0))).isNull();
    assertThat(Wire.codecOf(Outer.class).typedSender(new OneTurn(0))).isNull();
  }

  /** Room for one message, behind a header. */
  private static final class OneTurn implements MessageTurn {
    private final MemorySegment segment;
    private boolean published;

    OneTurn(int length) {
      segment = Arena.ofAuto().allocate(8L + length);
    }

    @Override
    public long begin() {
      return 8;
    }

    @Override
    public MemorySegment segment() {
      return segment;
    }

    @Override
    public void publish(long at) {
      published = at == 8;
    }

    @Override
    public void abort(long at) {
      throw new AssertionError();
    }
  }

  @Test
  void aRecordWithoutComponentsTakesNoBytes() {
    assertThat(Wire.encode(new Nothing())).isEmpty();
    assertThat(roundTrip(new Nothing())).isEqualTo(new Nothing());
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 126, 127, 128, 511, 512, 513,
        1023, 1024, 1025, 16_382, 16_383, 16_384, 100_000
      })
  void textsOfEveryLengthClassComeBack(int length) {
    String ascii = pattern(length, 0x20, 0x7f);
    String latin = pattern(length, 0x60, 0xff);
    String lastIsWide = length == 0 ? "" : ascii.substring(1) + "€";
    String firstIsWide = length == 0 ? "" : "\u0100" + ascii.substring(1);
    String pairs = "😀".repeat(length);
    for (String text : List.of(ascii, latin, lastIsWide, firstIsWide, pairs)) {
      assertThat(roundTrip(new Text(text))).isEqualTo(new Text(text));
    }
  }

  @Test
  void aCharacterThatIsNotAsciiIsFoundAtEveryPlace() {
    for (int length = 1; length < 80; length++) {
      for (int at = 0; at < length; at++) {
        for (char wide : new char[] {'\u0080', '\u0100'}) {
          StringBuilder text = new StringBuilder("a".repeat(length));
          text.setCharAt(at, wide);
          byte[] bytes = Wire.encode(TEXT, new Text(text.toString()));
          assertThat(Wire.decode(TEXT, bytes)).isEqualTo(new Text(text.toString()));
        }
      }
    }
  }

  private static String pattern(int length, int from, int to) {
    StringBuilder made = new StringBuilder();
    IntStream.range(0, length).forEach(i -> made.append((char) (from + i % (to - from))));
    return made.toString();
  }

  @Test
  void nullReferencesComeBackAsNull() {
    for (Record nothing :
        List.of(
            new Text(null),
            new Words(null),
            new Names(null),
            new Counts(null),
            new Chain(1, null),
            new Maybe(null),
            new Bytes(null))) {
      assertThat(roundTrip(nothing)).isEqualTo(nothing);
    }
  }

  @Test
  void nullElementsAndEmptyCollectionsAreKept() {
    assertThat(roundTrip(new Words(Arrays.asList("a", null, ""))))
        .isEqualTo(new Words(Arrays.asList("a", null, "")));
    assertThat(roundTrip(new Words(List.of()))).isEqualTo(new Words(List.of()));
    assertThat(roundTrip(new Names(Set.of()))).isEqualTo(new Names(Set.of()));
    assertThat(roundTrip(new Maybe(Optional.empty()))).isEqualTo(new Maybe(Optional.empty()));
  }

  @Test
  void listsWithoutIndexedAccessAreSent() {
    Words linked = new Words(new LinkedList<>(List.of("one", "two", "three")));
    assertThat(roundTrip(linked)).isEqualTo(linked);
  }

  @Test
  void orderOfSetsAndMapsIsKept() {
    Map<String, Long> counts = new LinkedHashMap<>();
    IntStream.range(0, 200).forEach(i -> counts.put("key " + (199 - i), (long) i));
    Counts back = (Counts) roundTrip(new Counts(counts));
    assertThat(new ArrayList<>(back.counts().keySet())).isEqualTo(List.copyOf(counts.keySet()));
    Names names = (Names) roundTrip(new Names(new TreeSet<>(Set.of("c", "a", "b"))));
    assertThat(names.names()).containsExactly("a", "b", "c");
  }

  @Test
  void collectionsThatArriveCannotBeChanged() {
    Words words = (Words) roundTrip(new Words(List.of("a")));
    assertThatThrownBy(() -> words.words().add("b"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> words.words().set(0, "b"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aRecordMayContainItselfDownToTheDepthLimit() {
    assertThat(roundTrip(chain(256))).isEqualTo(chain(256));
    assertThatThrownBy(() -> Wire.encode(chain(257)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Chain")
        .hasMessageContaining("256");
  }

  @Test
  void siblingsDoNotCountAsDepth() {
    Samples.Tree leaf = new Samples.Tree(1, null, null);
    Samples.Tree wide = new Samples.Tree(0, leaf, Collections.nCopies(1_000, leaf));
    assertThat(roundTrip(wide)).isEqualTo(wide);
  }

  static Chain chain(int length) {
    Chain chain = new Chain(0, null);
    for (int i = 1; i < length; i++) {
      chain = new Chain(i, chain);
    }
    return chain;
  }

  @Test
  void genericRecordsAndInterfacesTakeTheirArguments() {
    Wildcards wild =
        new Wildcards(
            List.of(new Text("a")),
            new Samples.Pair<>(List.of(new Text("b")), List.of(Color.BLUE)));
    assertThat(roundTrip(wild)).isEqualTo(wild);
    Answer success = new Answer(new Success<>(new Text("yes")));
    Answer failure = new Answer(new Failure<>("no"));
    assertThat(roundTrip(success)).isEqualTo(success);
    assertThat(roundTrip(failure)).isEqualTo(failure);
  }

  @Test
  void halfASurrogatePairIsRefusedAndNotReplaced() {
    assertThatThrownBy(() -> Wire.encode(new Text("ab\ud800c")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Text.text")
        .hasMessageContaining("index 2");
    assertThatThrownBy(() -> Wire.encode(new Text("\udc00\ud800")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Wire.encode(new Text("\ud800")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aMessageThatGrewSinceItWasMeasuredTouchesNothingBeyondItsClaim() {
    List<String> words = new ArrayList<>(List.of("first"));
    Words message = new Words(words);
    MessageCodec codec = Wire.codecOf(Words.class);
    int length = codec.length(message);
    words.add("a word that came later");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(200);
      assertThatThrownBy(() -> codec.write(message, memory, 0, length))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("changed while it was being sent");
      assertThat(memory.asSlice(length).toArray(Encoding.BYTE)).containsOnly(0);
    }
  }

  @Test
  void aMessageThatShrankSinceItWasMeasuredIsRefused() {
    List<String> words = new ArrayList<>(List.of("first", "second"));
    Words message = new Words(words);
    MessageCodec codec = Wire.codecOf(Words.class);
    int length = codec.length(message);
    words.removeLast();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(200);
      assertThatThrownBy(() -> codec.write(message, memory, 0, length))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  /** Says that it has one element more than it has. */
  private static final class LyingSet extends AbstractSet<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("a", "b").iterator();
    }

    @Override
    public int size() {
      return 3;
    }
  }

  @Test
  void aCollectionWhoseSizeIsWrongIsRefusedBySender() {
    assertThatThrownBy(() -> Wire.encode(new Names(new LyingSet())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Names.names has size() 3 but 2 elements");
  }

  @Test
  void recordsOutOfReachAreReachedThroughTheLookupGiven() {
    var types = MessageTypes.builder(MethodHandles.lookup()).add(1, Chain.class).build();
    MessageCodec codec = TypeTable.of(types).codecOf(Chain.class);
    assertThat(Wire.decode(codec, Wire.encode(codec, chain(3)))).isEqualTo(chain(3));
  }

  private static Record roundTrip(Record message) {
    MessageCodec codec = Wire.codecOf(message.getClass());
    return Wire.decode(codec, Wire.encode(codec, message));
  }
}
