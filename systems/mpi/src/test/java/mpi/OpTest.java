// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;

/** Operations on packed messages against sums of big numbers and the like, element by element. */
class OpTest {

  private static final List<Datatype> INTEGERS =
      List.of(MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.INT, MPI.LONG);
  private static final int ELEMENTS = 67;

  private final Random random = new Random(7);

  private static final Map<Op, BinaryOperator<BigInteger>> ON_INTEGERS =
      Map.of(
          MPI.MAX, BigInteger::max,
          MPI.MIN, BigInteger::min,
          MPI.SUM, BigInteger::add,
          MPI.PROD, BigInteger::multiply,
          MPI.BAND, BigInteger::and,
          MPI.BOR, BigInteger::or,
          MPI.BXOR, BigInteger::xor,
          MPI.LAND, (a, b) -> truth(a.signum() != 0 && b.signum() != 0),
          MPI.LOR, (a, b) -> truth(a.signum() != 0 || b.signum() != 0),
          MPI.LXOR, (a, b) -> truth((a.signum() != 0) != (b.signum() != 0)));

  private static BigInteger truth(boolean is) {
    return is ? BigInteger.ONE : BigInteger.ZERO;
  }

  @Test
  void integersOfAllWidths() {
    ON_INTEGERS.forEach(
        (op, model) ->
            INTEGERS.forEach(
                type -> {
                  Object in = array(type, 0.3);
                  Object inout = array(type, 0.3);
                  Object before = copy(inout);
                  reduce(op, type, in, inout, ELEMENTS);
                  for (int i = 0; i < ELEMENTS; i++) {
                    Object wanted = narrow(type, model.apply(big(in, i), big(before, i)));
                    assertThat(Array.get(inout, i))
                        .as("%s of %s", op.opCode, type)
                        .isEqualTo(wanted);
                  }
                }));
  }

  private static BigInteger big(Object array, int i) {
    Object value = Array.get(array, i);
    return BigInteger.valueOf(value instanceof Character c ? c : ((Number) value).longValue());
  }

  private static Object narrow(Datatype type, BigInteger value) {
    return switch (type.base) {
      case BYTE -> value.byteValue();
      case CHAR -> (char) value.intValue();
      case SHORT -> value.shortValue();
      case INT -> value.intValue();
      case LONG -> value.longValue();
      default -> throw new AssertionError(type);
    };
  }

  @Test
  void numbersWithFractions() {
    Map<Op, BinaryOperator<BigDecimal>> operators =
        Map.of(
            MPI.MAX, BigDecimal::max,
            MPI.MIN, BigDecimal::min,
            MPI.SUM, BigDecimal::add,
            MPI.PROD, BigDecimal::multiply);
    operators.forEach(
        (op, model) -> {
          double[] in = random.doubles(ELEMENTS, -9, 9).toArray();
          double[] inout = random.doubles(ELEMENTS, -9, 9).toArray();
          double[] before = inout.clone();
          reduce(op, MPI.DOUBLE, in, inout, ELEMENTS);
          float[] ins = new float[ELEMENTS];
          float[] inouts = new float[ELEMENTS];
          for (int i = 0; i < ELEMENTS; i++) {
            BigDecimal wanted = model.apply(new BigDecimal(in[i]), new BigDecimal(before[i]));
            assertThat(inout[i]).isEqualTo(wanted.doubleValue());
            ins[i] = (float) in[i];
            inouts[i] = (float) before[i];
          }
          float[] befores = inouts.clone();
          reduce(op, MPI.FLOAT, ins, inouts, ELEMENTS);
          for (int i = 0; i < ELEMENTS; i++) {
            BigDecimal wanted = model.apply(new BigDecimal(ins[i]), new BigDecimal(befores[i]));
            assertThat(inouts[i]).isEqualTo(wanted.floatValue());
          }
        });
  }

  @Test
  void truthValues() {
    byte[] in = {0, 0, 1, 1};
    byte[] and = {0, 1, 0, 1};
    byte[] or = and.clone();
    byte[] xor = and.clone();
    OpReduction land = new OpReduction(MPI.LAND, MPI.BOOLEAN);
    land.apply(MemorySegment.ofArray(in), MemorySegment.ofArray(and), 4);
    new OpReduction(MPI.LOR, MPI.BOOLEAN)
        .apply(MemorySegment.ofArray(in), MemorySegment.ofArray(or), 4);
    new OpReduction(MPI.LXOR, MPI.BOOLEAN)
        .apply(MemorySegment.ofArray(in), MemorySegment.ofArray(xor), 4);
    assertThat(and).containsExactly(0, 0, 0, 1);
    assertThat(or).containsExactly(0, 1, 1, 1);
    assertThat(xor).containsExactly(0, 1, 1, 0);
    assertThat(land.allocate(4).heapBase()).containsInstanceOf(byte[].class);
  }

  @Test
  void theGreatestAndTheLeastWithTheirPlacesAndTheLowestPlaceOfEqualOnes() {
    short[] in = {3, 1, 5, 7, 5, 2, -4, 0};
    short[] greatest = {4, 9, 5, 6, 5, 3, -5, 9};
    short[] least = greatest.clone();
    reduce(MPI.MAXLOC, MPI.SHORT2, in, greatest, 4);
    reduce(MPI.MINLOC, MPI.SHORT2, in, least, 4);
    assertThat(greatest).containsExactly(4, 9, 5, 6, 5, 2, -4, 0);
    assertThat(least).containsExactly(3, 1, 5, 6, 5, 2, -5, 9);
    for (Datatype pair : List.of(MPI.INT2, MPI.LONG2, MPI.FLOAT2, MPI.DOUBLE2)) {
      Object a = Array.newInstance(pair.base.component, 8);
      Object b = Array.newInstance(pair.base.component, 8);
      short[] before = {4, 9, 5, 6, 5, 3, -5, 9};
      for (int i = 0; i < 8; i++) {
        set(a, i, in[i]);
        set(b, i, before[i]);
      }
      reduce(MPI.MAXLOC, pair, a, b, 4);
      for (int i = 0; i < 8; i++) {
        assertThat(((Number) Array.get(b, i)).intValue()).as("%s", pair).isEqualTo(greatest[i]);
      }
    }
  }

  @Test
  void zerosOfBothSignsAreEqualAndWhatIsNoNumberIsTheGreatest() {
    double[] in = {-0.0, 2, 0.0, 1, Double.NaN, 4, 1, 6};
    double[] least = {0.0, 1, -0.0, 3, 5, 3, Double.NaN, 5};
    double[] greatest = least.clone();
    float[] ins = {-0.0f, 2, 0.0f, 1, Float.NaN, 4, 1, 6};
    float[] leasts = {0.0f, 1, -0.0f, 3, 5, 3, Float.NaN, 5};
    float[] greatests = leasts.clone();
    reduce(MPI.MINLOC, MPI.DOUBLE2, in, least, 4);
    reduce(MPI.MAXLOC, MPI.DOUBLE2, in, greatest, 4);
    reduce(MPI.MINLOC, MPI.FLOAT2, ins, leasts, 4);
    reduce(MPI.MAXLOC, MPI.FLOAT2, ins, greatests, 4);
    double[] leastAt = {1, 1, 3, 6};
    double[] greatestAt = {1, 1, 4, 5};
    for (int i = 0; i < 4; i++) {
      assertThat(least[2 * i + 1]).isEqualTo(leastAt[i]);
      assertThat(leasts[2 * i + 1]).isEqualTo((float) leastAt[i]);
      assertThat(greatest[2 * i + 1]).isEqualTo(greatestAt[i]);
      assertThat(greatests[2 * i + 1]).isEqualTo((float) greatestAt[i]);
    }
  }

  private static void set(Object array, int at, short value) {
    Array.setShort(array, at, value); // which widens
  }

  @Test
  void aFunctionSeesItsDatatypeAsItLiesAndReturnsNothingBesideIt() {
    Datatype everyOther = Datatype.Vector(2, 1, 3, MPI.INT);
    everyOther.Commit();
    User_function places =
        new User_function() {
          @Override
          public void Call(Object in, int at, Object inout, int to, int count, Datatype type) {
            for (int i = 0; i < count; i++) {
              for (int j = 0; j < 2; j++) {
                int k = i * type.Extent() + 3 * j;
                ((int[]) inout)[to + k] += 10 * ((int[]) in)[at + k];
              }
              ((int[]) inout)[to + i * type.Extent() + 1] = 99; // a gap
            }
          }
        };
    int[] inout = {1, 2, 3, 4};
    reduce(new Op(places, false), everyOther, new int[] {5, 6, 7, 8}, inout, 2);
    assertThat(inout).containsExactly(51, 62, 73, 84);
  }

  @Test
  void aFunctionHasRoomBeforeADatatypeThatBeginsLater() {
    Datatype later = Datatype.Indexed(new int[] {2}, new int[] {3}, MPI.INT);
    later.Commit();
    User_function minus =
        new User_function() {
          @Override
          public void Call(Object in, int at, Object inout, int to, int count, Datatype type) {
            for (int i = 3; i < 3 + 2 * count; i++) {
              ((int[]) inout)[to + i] = ((int[]) in)[at + i] - ((int[]) inout)[to + i];
            }
          }
        };
    int[] inout = {1, 2, 3, 4};
    reduce(new Op(minus, false), later, new int[] {10, 20, 30, 40}, inout, 2);
    assertThat(inout).containsExactly(9, 18, 27, 36);
  }

  @Test
  void whatCommutesIsSaidByWhoMakesTheOperation() {
    assertThat(new OpReduction(new Op(new Never(), false), MPI.INT).isCommutative()).isFalse();
    assertThat(new OpReduction(new Op(new Never(), true), MPI.INT).isCommutative()).isTrue();
    assertThat(new OpReduction(MPI.SUM, MPI.INT).isCommutative()).isTrue();
  }

  @Test
  void aFunctionOnTruthValuesHasArraysOfThem() {
    User_function implies =
        new User_function() {
          @Override
          public void Call(Object in, int at, Object inout, int to, int count, Datatype type) {
            for (int i = 0; i < count; i++) {
              ((boolean[]) inout)[to + i] |= !((boolean[]) in)[at + i];
            }
          }
        };
    byte[] inout = {0, 0, 1};
    reduce(new Op(implies, false), MPI.BOOLEAN, new byte[] {0, 1, 1}, inout, 3);
    assertThat(inout).containsExactly(1, 0, 1);
  }

  @Test
  void whatAnOperationIsNotForIsSaid() {
    isRefused(MPI.SUM, MPI.BOOLEAN, "SUM is not defined for BOOLEAN");
    isRefused(MPI.BOR, MPI.DOUBLE, "BOR is not defined for DOUBLE");
    isRefused(MPI.LAND, MPI.FLOAT, "LAND is not defined for FLOAT");
    isRefused(MPI.MAX, MPI.OBJECT, "MAX is not defined for OBJECT");
    isRefused(MPI.MAX, MPI.PACKED, "MAX is not defined for PACKED");
    isRefused(MPI.MAXLOC, MPI.INT, "MAXLOC is for pairs of a value and an index");
    isRefused(null, MPI.INT, "operation is null");
    Op freed = new Op(new Never(), true);
    freed.free();
    isRefused(freed, MPI.INT, "was freed");
    MPI.MAX.free();
    assertThat(Op.usable(MPI.MAX, MPI.INT)).isSameAs(MPI.MAX);
    assertThatThrownBy(() -> new Op(null, true)).isInstanceOf(MPIException.class);
  }

  private static final class Never extends User_function {
    @Override
    public void Call(Object in, int at, Object inout, int to, int count, Datatype type) {
      throw new AssertionError("called");
    }
  }

  private static void isRefused(Op op, Datatype type, String why) {
    assertThatThrownBy(() -> Op.usable(op, type))
        .isInstanceOf(MPIException.class)
        .hasMessageContaining(why);
  }

  // ---------------------------------------------------------------- packed messages

  private static void reduce(Op op, Datatype type, Object in, Object inout, int count) {
    OpReduction reduction = new OpReduction(Op.usable(op, type), type);
    long bytes = (long) count * reduction.elementBytes();
    long before = type.base.bytes * 3L; // sections of what is allocated, not its begin
    MemorySegment a = reduction.allocate(bytes + before).asSlice(before);
    MemorySegment b = reduction.allocate(bytes + 2 * before).asSlice(2 * before);
    Memory.whole(in).gather(0, bytes, a, 0);
    Memory.whole(inout).gather(0, bytes, b, 0);
    reduction.apply(a, b, count);
    Memory.whole(inout).scatter(0, bytes, b, 0);
  }

  private Object array(Datatype type, double zeros) {
    Object array = Array.newInstance(type.base.component, ELEMENTS);
    for (int i = 0; i < ELEMENTS; i++) {
      long value = random.nextDouble() < zeros ? 0 : random.nextLong();
      Array.set(array, i, narrow(type, BigInteger.valueOf(value)));
    }
    return array;
  }

  private static Object copy(Object array) {
    Object copy = Array.newInstance(array.getClass().componentType(), ELEMENTS);
    System.arraycopy(array, 0, copy, 0, ELEMENTS);
    return copy;
  }
}
