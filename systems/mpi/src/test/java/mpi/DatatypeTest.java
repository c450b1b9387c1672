// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Datatypes against a plain list of what lies where; buffers of all kinds. */
class DatatypeTest {

  private static final List<Datatype> BASIC =
      List.of(MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.BOOLEAN, MPI.INT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE);

  // ---------------------------------------------------------------- against the model

  @Property(tries = 600)
  void sizeAndBoundsAreThoseOfTheStandard(@ForAll long seed) {
    TypeModel model = TypeModel.random(new Random(seed), MPI.INT, 3);
    assertThat(model.type().Size()).as("size").isEqualTo((int) model.size());
    assertThat(model.type().Lb()).as("lower bound").isEqualTo((int) model.lb());
    assertThat(model.type().Ub()).as("upper bound").isEqualTo((int) model.ub());
    assertThat(model.type().Extent()).as("extent").isEqualTo((int) model.extent());
  }

  @Property(tries = 600)
  void messagesHaveTheElementsOfTheModelInItsOrderWhateverPiecesAreAskedFor(@ForAll long seed) {
    Random random = new Random(seed);
    Datatype basic = BASIC.get(random.nextInt(BASIC.size()));
    TypeModel model = TypeModel.random(random, basic, 1 + random.nextInt(3));
    int count = random.nextInt(4);
    Span span = Span.of(model, count);
    Object array = filled(random, basic, span.length);
    Object buffer = random.nextBoolean() ? array : rows(random, array);
    Layout message = model.type().layout(buffer, span.offset, count, false);

    List<Long> places = model.elements(span.offset, count);
    Object expected = Array.newInstance(array.getClass().componentType(), places.size());
    for (int i = 0; i < places.size(); i++) {
      Array.set(expected, i, Array.get(array, places.get(i).intValue()));
    }
    byte[] bytes = bytes(expected);
    assertThat(message.bytes()).isEqualTo(bytes.length);
    byte[] gathered = new byte[bytes.length];
    inPieces(
        random,
        bytes.length,
        (at, length) -> message.gather(at, length, MemorySegment.ofArray(gathered), at));
    assertThat(gathered).isEqualTo(bytes);
  }

  @Property(tries = 600)
  void whatIsReceivedGoesToTheElementsOfTheModelAndNowhereElse(@ForAll long seed) {
    Random random = new Random(seed);
    Datatype basic = BASIC.get(random.nextInt(BASIC.size()));
    TypeModel model = TypeModel.random(random, basic, 1 + random.nextInt(3));
    int count = random.nextInt(4);
    Span span = Span.of(model, count);
    List<Long> places = model.elements(span.offset, count);
    Object values = filled(random, basic, places.size());
    Object expected = filled(random, basic, span.length);
    Object array = copy(expected);
    Object buffer = random.nextBoolean() ? array : rows(random, array);
    for (int i = 0; i < places.size(); i++) { // the last one wins where two are the same
      Array.set(expected, places.get(i).intValue(), Array.get(values, i));
    }
    byte[] bytes = bytes(values);
    Layout message = model.type().layout(buffer, span.offset, count, true);
    inPieces(
        random,
        bytes.length,
        (at, length) -> message.scatter(at, length, MemorySegment.ofArray(bytes), at));
    assertThat(flat(buffer, array)).isEqualTo(expected);
  }

  @Property(tries = 200)
  void objectsAreTakenAndPutInTheSameOrder(@ForAll long seed) {
    Random random = new Random(seed);
    TypeModel model = TypeModel.random(random, MPI.OBJECT, 1 + random.nextInt(3));
    int count = random.nextInt(4);
    int[] places = model.type().map.elements(7, count);
    assertThat(places)
        .isEqualTo(model.elements(7, count).stream().mapToInt(Long::intValue).toArray());
  }

  /** What a buffer needs so that all of a message lies in it. */
  private record Span(int offset, int length) {
    static Span of(TypeModel model, int count) {
      List<Long> places = model.elements(0, count);
      long least = places.stream().mapToLong(Long::longValue).min().orElse(0);
      long most = places.stream().mapToLong(Long::longValue).max().orElse(0);
      int offset = (int) Math.max(0, -least);
      return new Span(offset, offset + (int) most + 1);
    }
  }

  private interface Piece {
    void copy(int at, int length);
  }

  private static void inPieces(Random random, int bytes, Piece piece) {
    for (int at = 0; at < bytes; ) {
      int length = 1 + random.nextInt(bytes - at);
      piece.copy(at, length);
      at += length;
    }
  }

  private static Object filled(Random random, Datatype basic, int length) {
    Object array = Array.newInstance(basic.base.component, length);
    byte[] bytes = new byte[length * basic.base.bytes];
    random.nextBytes(bytes);
    for (int i = 0; basic == MPI.BOOLEAN && i < bytes.length; i++) {
      bytes[i] &= 1;
    }
    Memory.whole(array).scatter(0, bytes.length, MemorySegment.ofArray(bytes), 0);
    return array;
  }

  private static byte[] bytes(Object array) {
    Layout all = Memory.whole(array);
    byte[] bytes = new byte[(int) all.bytes()];
    all.gather(0, bytes.length, MemorySegment.ofArray(bytes), 0);
    return bytes;
  }

  private static Object copy(Object array) {
    Object copy = Array.newInstance(array.getClass().componentType(), Array.getLength(array));
    System.arraycopy(array, 0, copy, 0, Array.getLength(array));
    return copy;
  }

  /** The same elements in an array of arrays of different lengths. */
  private static Object rows(Random random, Object array) {
    int length = Array.getLength(array);
    Object[] rows = (Object[]) Array.newInstance(array.getClass(), 3);
    int first = random.nextInt(length + 1);
    int second = first + random.nextInt(length + 1 - first);
    int[] ends = {0, first, second, length};
    for (int i = 0; i < 3; i++) {
      rows[i] = Array.newInstance(array.getClass().componentType(), ends[i + 1] - ends[i]);
      System.arraycopy(array, ends[i], rows[i], 0, ends[i + 1] - ends[i]);
    }
    return rows;
  }

  private static Object flat(Object buffer, Object like) {
    if (!(buffer instanceof Object[] rows)) {
      return buffer;
    }
    Object flat = Array.newInstance(like.getClass().componentType(), Array.getLength(like));
    int at = 0;
    for (Object row : rows) {
      System.arraycopy(row, 0, flat, at, Array.getLength(row));
      at += Array.getLength(row);
    }
    return flat;
  }

  // ---------------------------------------------------------------- as it is joined

  @Test
  void whatHasNoGapsIsOnePieceOfTheProgramsMemory() {
    int[] array = new int[12];
    Datatype rows = Datatype.Contiguous(2, Datatype.Contiguous(3, MPI.INT));
    rows.Commit();
    assertThat(rows.map.runs()).hasSize(1);
    assertThat(rows.layout(array, 0, 2, false)).isEqualTo(Layout.of(MemorySegment.ofArray(array)));
  }

  @Test
  void vectorsOfVectorsAreOneRunWhereTheirBlocksGoOnAtTheSameDistance() {
    Datatype column = Datatype.Vector(4, 1, 5, MPI.DOUBLE);
    Datatype whole = Datatype.Hvector(3, 1, 20, column);
    assertThat(whole.map.runs()).hasSize(1);
    assertThat(whole.Size()).isEqualTo(12);
    Datatype touching = Datatype.Indexed(new int[] {2, 1, 3}, new int[] {0, 2, 3}, MPI.INT);
    assertThat(touching.map.isDense()).as("one block").isTrue();
  }

  // ---------------------------------------------------------------- other memory

  @Test
  void buffersAndSegmentsAreUsedFromTheirPositionOn() {
    Datatype pairs = Datatype.Vector(2, 1, 2, MPI.INT);
    pairs.Commit();
    ByteBuffer direct = ByteBuffer.allocateDirect(24).order(ByteOrder.nativeOrder());
    direct.asIntBuffer().put(new int[] {0, 1, 2, 3, 4, 5});
    direct.position(4);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment segment = arena.allocate(24);
      MemorySegment.copy(MemorySegment.ofBuffer(direct.duplicate().clear()), 0, segment, 0, 24);
      assertThat(gathered(pairs, direct, 1)).isEqualTo(new int[] {2, 4});
      assertThat(
              gathered(pairs, direct.duplicate().order(ByteOrder.nativeOrder()).asIntBuffer(), 1))
          .isEqualTo(new int[] {2, 4});
      assertThat(gathered(pairs, segment, 1)).isEqualTo(new int[] {1, 3});
      assertThat(gathered(pairs, segment.asReadOnly(), 1)).isEqualTo(new int[] {1, 3});
      IntBuffer heap = IntBuffer.wrap(new int[] {0, 1, 2, 3}).asReadOnlyBuffer();
      assertThat(gathered(pairs, heap.position(1), 0)).isEqualTo(new int[] {1, 3});
      assertThat(gathered(pairs, new int[][] {{0}, {1, 2}, {}, {3, 4, 5}}, 1))
          .isEqualTo(new int[] {1, 3});
    }
  }

  private static int[] gathered(Datatype type, Object buffer, int offset) {
    int[] got = new int[type.Size()];
    type.layout(buffer, offset, 1, false).gather(0, 4L * got.length, MemorySegment.ofArray(got), 0);
    return got;
  }

  // ---------------------------------------------------------------- wrong arguments

  private record Wrong(String says, ThrowingCallable call) {
    @Override
    public String toString() {
      return says;
    }
  }

  private static void use(Datatype type, Object buffer, int offset, int count) {
    Layout unused = Datatype.usable(type).layout(buffer, offset, count, true);
  }

  private static Datatype freed() {
    Datatype type = Datatype.Contiguous(2, MPI.INT);
    type.Commit();
    type.free();
    return type;
  }

  /** Each of several lies two elements before the one before. */
  private static Datatype downwards() {
    Datatype[] types = {MPI.INT, MPI.UB};
    Datatype type = Datatype.Struct(new int[] {1, 1}, new int[] {0, -2}, types);
    type.Commit();
    return type;
  }

  static Stream<Wrong> wrong() {
    int[] ten = new int[10];
    int[] two = {1, 1};
    return Stream.of(
        new Wrong(
            "elements 5 to 10 of a buffer of 10 INT: 6 times INT", () -> use(MPI.INT, ten, 5, 6)),
        new Wrong("elements -1 to 0", () -> use(MPI.INT, ten, -1, 2)),
        new Wrong(
            "elements 2147483646 to 2147483648", () -> use(MPI.INT, ten, Integer.MAX_VALUE - 1, 3)),
        new Wrong("elements -1 to 3 of", () -> use(downwards(), ten, 3, 3)),
        new Wrong("count is -1", () -> use(MPI.INT, ten, 0, -1)),
        new Wrong("a buffer is null, but INT", () -> use(MPI.INT, null, 0, 1)),
        new Wrong("a buffer is a int[], but LONG", () -> use(MPI.LONG, ten, 0, 1)),
        new Wrong("a buffer is a String, but INT", () -> use(MPI.INT, "x", 0, 1)),
        new Wrong("a buffer is a int[][], but LONG", () -> use(MPI.LONG, new int[1][1], 0, 1)),
        new Wrong(
            "row 1 of an array of arrays is null",
            () -> use(MPI.INT, new int[][] {{1}, null}, 0, 1)),
        new Wrong("BIG_ENDIAN order", () -> use(MPI.INT, ByteBuffer.allocate(8), 0, 1)),
        new Wrong(
            "elements of type int, but FLOAT",
            () -> use(MPI.FLOAT, ByteBuffer.allocate(8).asIntBuffer(), 0, 1)),
        new Wrong(
            "can only be read",
            () -> use(MPI.BYTE, ByteBuffer.allocate(8).asReadOnlyBuffer(), 0, 1)),
        new Wrong(
            "a segment of one thread alone",
            () -> {
              try (Arena arena = Arena.ofConfined()) {
                use(MPI.BYTE, arena.allocate(8), 0, 1);
              }
            }),
        new Wrong(
            "a segment whose arena is closed",
            () -> {
              MemorySegment closed;
              try (Arena arena = Arena.ofShared()) {
                closed = arena.allocate(8);
              }
              use(MPI.BYTE, closed, 0, 1);
            }),
        new Wrong("a buffer of text", () -> use(MPI.CHAR, CharBuffer.wrap("text"), 0, 1)),
        new Wrong(
            "16000000000 bytes; 2147483647 is most",
            () -> Datatype.Contiguous(2_000_000_000, MPI.LONG).getByteSize()),
        new Wrong("datatype is null", () -> use(null, ten, 0, 1)),
        new Wrong("datatype NULL has no elements", () -> use(MPI.NULL, ten, 0, 1)),
        new Wrong("datatype UB has no elements", () -> use(MPI.UB, ten, 0, 1)),
        new Wrong("is not committed", () -> use(Datatype.Contiguous(2, MPI.INT), ten, 0, 1)),
        new Wrong("was freed", () -> use(freed(), ten, 0, 1)),
        new Wrong(
            "old datatype a type of 2 INT and extent 2 was freed",
            () -> Datatype.Contiguous(1, freed())),
        new Wrong("old datatype is null", () -> Datatype.Contiguous(1, null)),
        new Wrong("old datatype is MPI.NULL", () -> Datatype.Vector(1, 1, 1, MPI.NULL)),
        new Wrong("count is -1", () -> Datatype.Contiguous(-1, MPI.INT)),
        new Wrong("count is -2", () -> Datatype.Vector(-2, 1, 1, MPI.INT)),
        new Wrong("blocklength is -3", () -> Datatype.Hvector(1, -3, 1, MPI.INT)),
        new Wrong(
            "2 block lengths, but 1 displacements",
            () -> Datatype.Indexed(two, new int[1], MPI.INT)),
        new Wrong(
            "block length is -1", () -> Datatype.Hindexed(new int[] {-1}, new int[1], MPI.INT)),
        new Wrong("array of block lengths is null", () -> Datatype.Indexed(null, two, MPI.INT)),
        new Wrong("array of displacements is null", () -> Datatype.Indexed(two, null, MPI.INT)),
        new Wrong(
            "1 types for 2 blocks", () -> Datatype.Struct(two, two, new Datatype[] {MPI.INT})),
        new Wrong(
            "a structure of INT and BYTE",
            () -> Datatype.Struct(two, two, new Datatype[] {MPI.INT, MPI.BYTE})),
        new Wrong(
            "a datatype of 4294967294 elements",
            () -> Datatype.Vector(2, Integer.MAX_VALUE, 1, MPI.INT)),
        new Wrong(
            "a bound or extent of 4294967295",
            () -> Datatype.Vector(3, 1, Integer.MAX_VALUE, MPI.INT)));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void whatIsWrongIsSaid(Wrong wrong) {
    assertThatThrownBy(wrong.call)
        .isInstanceOf(MPIException.class)
        .hasMessageContaining(wrong.says);
  }

  @Test
  void nothingIsNeededForNoElements() {
    use(MPI.INT, null, 5, 0);
    Datatype empty = Datatype.Contiguous(0, MPI.INT);
    empty.Commit();
    use(empty, null, 5, 3);
    assertThat(Arrays.asList(empty.Extent(), empty.Size(), empty.Lb())).containsOnly(0);
  }
}
