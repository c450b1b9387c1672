// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.mpi.device.Layout;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Objects to a message and back. */
class ObjectMessageTest {

  private static final ObjectFilter OWN = ObjectFilter.of(ObjectMessageTest.class);

  record Point(int x, List<Integer> more) implements Serializable {}

  private static byte[] message(Object... objects) {
    Layout layout = ObjectMessage.of(objects, 0, objects.length, MPI.OBJECT).layout();
    byte[] bytes = new byte[(int) layout.bytes()];
    layout.gather(0, bytes.length, MemorySegment.ofArray(bytes), 0);
    return bytes;
  }

  private static Object[] sent(Object... objects) {
    byte[] bytes = message(objects);
    return ObjectMessage.read(bytes, 0, bytes.length, OWN);
  }

  @Test
  void arraysOfAllPrimitiveTypesGoByTheirBytes() {
    Object[] all = {
      new byte[] {1, 2}, new char[] {'a'}, new short[] {3}, new boolean[] {true, false},
      new int[0], new long[] {4}, new float[] {5}, new double[] {6, 7},
      new int[][] {{1}, null, {2, 3}, {}}, new double[2][0][3], new boolean[][][] {{{true}}, {}}
    };
    assertThat(Arrays.deepEquals(sent(all), all)).isTrue();
    assertThat(message((Object) new byte[1000])).hasSizeLessThan(1020);
    int[] deepest = new int[255];
    Arrays.fill(deepest, 1);
    Object[] deep = {Array.newInstance(int.class, deepest)};
    assertThat(Arrays.deepEquals(sent(deep), deep)).isTrue();
  }

  @Test
  void otherObjectsGoInOneStreamAndShareWhatTheyShared() {
    List<Integer> shared = new ArrayList<>(List.of(1, 2));
    Object[] got = sent(new Point(1, shared), null, "text", new Point(2, shared), Map.of("a", 1));
    assertThat(got)
        .containsExactly(
            new Point(1, List.of(1, 2)), null, "text", new Point(2, shared), Map.of("a", 1));
    assertThat(((Point) got[0]).more()).isSameAs(((Point) got[3]).more());
    assertThat(sent(new int[] {1}, "text")[0]).isEqualTo(new int[] {1});
  }

  private enum Color {
    RED
  }

  @Test
  void whatProgramsUsuallyHaveIsOnTheList() {
    Object[] all = {
      new ConcurrentHashMap<>(Map.of("a", 1)),
      new TreeMap<>(Map.of(1, 2L)),
      Locale.ROOT,
      new EnumMap<>(Map.of(Color.RED, 'c')),
      new ArrayDeque<>(List.of(1)).toArray(),
      Map.of(1, 2),
      new BigDecimal("1.5"),
      BigInteger.TEN,
      LocalDate.of(2020, 1, 2),
      Duration.ofDays(1),
      ZonedDateTime.of(2020, 1, 2, 3, 4, 5, 6, ZoneId.of("Europe/Berlin")),
      new UUID(1, 2),
      Collections.unmodifiableList(new LinkedList<>(List.of(1))),
      Set.of('x'),
      Color.RED,
      Arrays.asList(1, 2),
      new String[] {"s"},
      String.class,
      new BitSet(),
      1.5f
    };
    assertThat(sent(all)).isEqualTo(all);
    assertThat(((Throwable) sent(new IllegalStateException("x"))[0]).getMessage()).isEqualTo("x");
    assertThat(((AtomicLong) sent(new AtomicLong(5))[0]).get()).isEqualTo(5);
    Object[] queue = sent(new LinkedBlockingQueue<>(List.of(1, 2)));
    assertThat((Queue<?>) queue[0]).hasSize(2);
  }

  @Test
  void classesThatAreOnNoListAreNotMade() {
    byte[] bytes = message(Level.INFO);
    assertThatThrownBy(() -> ObjectMessage.read(bytes, 0, bytes.length, OWN))
        .isInstanceOf(MPIException.class)
        .hasMessageContaining("class java.util.logging.Level")
        .hasMessageContaining("-Dverbena.mpi.objects=java.util.logging.Level");
    byte[] own = message(new Point(1, List.of()));
    assertThatThrownBy(() -> ObjectMessage.read(own, 0, own.length, ObjectFilter.of(null)))
        .isInstanceOf(MPIException.class)
        .hasMessageContaining("ObjectMessageTest$Point");
  }

  @Test
  void thePropertyAddsClassesAndTakesThemAway() {
    byte[] level = message(Level.INFO);
    byte[] own = message(new Point(1, List.of()));
    System.setProperty("verbena.mpi.objects", "java.util.logging.*;!mpi.ObjectMessageTest$*");
    ObjectFilter other;
    try {
      other = ObjectFilter.of(ObjectMessageTest.class);
    } finally {
      System.clearProperty("verbena.mpi.objects");
    }
    assertThat(ObjectMessage.read(level, 0, level.length, other)).containsExactly(Level.INFO);
    assertThatThrownBy(() -> ObjectMessage.read(own, 0, own.length, other))
        .isInstanceOf(MPIException.class);
  }

  @Test
  void whatCannotBeSerializedIsNamed() {
    assertThatThrownBy(() -> message("text", new Object()))
        .isInstanceOf(MPIException.class)
        .hasMessageContaining("java.lang.Object");
  }

  @Test
  void changedMessagesAreReadOrRefusedAndNothingElse() {
    byte[][] all = {
      message(new int[] {1, 2, 3}, new double[][] {{1}, {2, 3}}),
      message("text", new Point(3, List.of(4)))
    };
    Random random = new Random(11);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = all[i % 2].clone();
      for (int change = random.nextInt(3); change >= 0; change--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        Object[] unused =
            ObjectMessage.read(bytes, 0, random.nextInt(9) == 0 ? 3 : bytes.length, OWN);
      } catch (MPIException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(1000);
  }

  @Test
  void aBufferThatCannotHaveWhatIsReceivedSaysSo() {
    assertThatThrownBy(() -> ObjectSink.put(new Object[] {1}, new String[1], 0, 1, MPI.OBJECT))
        .isInstanceOf(MPIException.class)
        .hasMessageContaining("String[]")
        .hasMessageContaining("java.lang.Integer");
    assertThatThrownBy(() -> ObjectSink.put(new Object[] {1, 2}, new Object[5], 0, 1, MPI.OBJECT))
        .hasMessageContaining("the message has 2 objects, its receive has room for 1");
    assertThatThrownBy(() -> ObjectMessage.of(new int[1], 0, 1, MPI.OBJECT))
        .hasMessageContaining("a buffer is a int[], but an array of objects is needed");
    assertThatThrownBy(() -> ObjectMessage.of(new Object[2], 1, 2, MPI.OBJECT))
        .hasMessageContaining("elements 1 to 2 of a buffer of 2 OBJECT");
  }
}
