// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Merging against sorting. What the tests of this package have for a model of entries is here, too.
 */
class MergeTest {
  static final byte[] NOTHING = {};

  /** An entry as a model has it, in the order of entries. */
  record State(byte[] key, long word, byte[] value) implements Comparable<State> {

    static State of(Cursor at) {
      MemorySegment all = at.memory;
      return new State(
          all.asSlice(at.key, at.keyLength).toArray(JAVA_BYTE),
          at.word,
          all.asSlice(at.value, at.valueLength).toArray(JAVA_BYTE));
    }

    long sequence() {
      return Entry.sequence(word);
    }

    /** Checks what a look-up has made of this entry. */
    void assertIsIn(Found found, String about) {
      assertThat(Entry.word(found.sequence(), found.kind())).describedAs(about).isEqualTo(word);
      if (found.kind() == Entry.VALUE) {
        assertThat(found.version()).describedAs(about).isEqualTo(sequence());
        assertThat(found.bytes()).describedAs(about).isEqualTo(value);
      } else if (found.kind() == Entry.PLACE) {
        MemorySegment memory = MemorySegment.ofArray(new byte[Location.BYTES]);
        Location.write(
            memory,
            0,
            found.segment(),
            found.offset(),
            found.length(),
            found.checksum(),
            found.version());
        assertThat(memory.mismatch(MemorySegment.ofArray(value))).describedAs(about).isEqualTo(-1);
      }
    }

    @Override
    public int compareTo(State other) {
      int order = Arrays.compareUnsigned(key, other.key);
      return order != 0 ? order : Long.compareUnsigned(other.word, word);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof State state
          && compareTo(state) == 0
          && Arrays.equals(value, state.value);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(key) + Long.hashCode(word);
    }

    @Override
    public String toString() {
      String hex = HexFormat.of().formatHex(key);
      String end = hex.substring(Math.max(0, hex.length() - 40));
      return key.length + ":" + end + " at " + sequence() + ", " + value.length + " bytes";
    }
  }

  /** Goes over a list, and spoils the bytes of an entry when it leaves it. */
  static final class ListCursor extends Cursor {
    private final List<State> states;
    private int index = -1;

    ListCursor(List<State> states) {
      this.states = states;
    }

    @Override
    public boolean seek(MemorySegment key, long keyOffset, int keyLength, long word) {
      byte[] bytes = key.asSlice(keyOffset, keyLength).toArray(JAVA_BYTE);
      int at = Collections.binarySearch(states, new State(bytes, word, NOTHING));
      index = (at >= 0 ? at : -at - 1) - 1;
      return next();
    }

    @Override
    public boolean next() {
      memory.fill((byte) 0xee);
      if (++index >= states.size()) {
        return false;
      }
      State state = states.get(index);
      key = 3;
      keyLength = state.key.length;
      value = key + keyLength + 2;
      valueLength = state.value.length;
      word = state.word;
      memory = MemorySegment.ofArray(new byte[(int) value + valueLength]);
      MemorySegment.copy(MemorySegment.ofArray(state.key), 0, memory, key, keyLength);
      MemorySegment.copy(MemorySegment.ofArray(state.value), 0, memory, value, valueLength);
      return true;
    }
  }

  /** A key of 1 to {@code longest} bytes; short ones and such as begin alike are frequent. */
  static byte[] randomKey(Random random, int longest) {
    byte[] ends = {0, 1, 'k', 0x7f, (byte) 0x80, (byte) 0xff};
    byte[] key =
        new byte[1 + random.nextInt(random.nextBoolean() ? Math.min(4, longest) : longest)];
    Arrays.fill(key, ends[random.nextInt(ends.length)]);
    for (int i = Math.max(0, key.length - 3); i < key.length; i++) {
      key[i] = random.nextBoolean() ? ends[random.nextInt(ends.length)] : (byte) random.nextInt();
    }
    return key;
  }

  /** A state of any kind with a value that fits it. */
  static State randomState(Random random, byte[] key, long sequence, int longest) {
    int kind =
        new int[] {Entry.VALUE, Entry.VALUE, Entry.PLACE, Entry.TOMBSTONE}[random.nextInt(4)];
    int length =
        switch (kind) {
          case Entry.VALUE -> random.nextInt(longest + 1);
          case Entry.PLACE -> Location.BYTES;
          default -> 0;
        };
    byte[] value = new byte[length];
    random.nextBytes(value);
    return new State(key, Entry.word(sequence, kind), value);
  }

  @Property(tries = 200)
  void givesTheEntriesOfAllCursorsInOneOrder(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    List<byte[]> keys = new ArrayList<>();
    for (int i = 1 + random.nextInt(30); i > 0; i--) {
      keys.add(randomKey(random, 40));
    }
    TreeSet<State> all = new TreeSet<>();
    List<TreeSet<State>> parts = new ArrayList<>();
    for (int i = 1 + random.nextInt(9); i > 0; i--) {
      parts.add(new TreeSet<>());
    }
    for (int i = random.nextInt(200); i > 0; i--) {
      State state = randomState(random, keys.get(random.nextInt(keys.size())), i, 20);
      all.add(state);
      parts.get(random.nextInt(parts.size()) * random.nextInt(2)).add(state);
    }
    List<ListCursor> cursors =
        parts.stream().map(part -> new ListCursor(List.copyOf(part))).toList();
    Merge merge = new Merge(cursors);
    assertThat(rest(merge, merge.first(), Integer.MAX_VALUE)).containsExactlyElementsOf(all);
    for (int i = 0; i < 20; i++) {
      byte[] key = random.nextBoolean() ? randomKey(random, 40) : keys.getFirst();
      long word = random.nextInt(4) == 0 ? Entry.NEWEST : Entry.upTo(random.nextInt(200));
      MemorySegment memory = MemorySegment.ofArray(key);
      int limit = random.nextInt(300);
      assertThat(rest(merge, merge.seek(memory, 0, key.length, word), limit))
          .containsExactlyElementsOf(
              all.tailSet(new State(key, word, NOTHING)).stream().limit(limit).toList());
    }
  }

  static List<State> rest(Cursor cursor, boolean any, int limit) throws IOException {
    List<State> states = new ArrayList<>();
    for (boolean more = any; more && states.size() < limit; more = cursor.next()) {
      states.add(State.of(cursor));
    }
    return states;
  }

  @Test
  void nothingMergedIsNothing() throws IOException {
    assertThat(new Merge(List.of()).first()).isFalse();
    List<ListCursor> empty = List.of(new ListCursor(List.of()), new ListCursor(List.of()));
    assertThat(new Merge(empty).first()).isFalse();
    assertThat(new Merge(empty).seek(MemorySegment.NULL, 0, 0, Entry.NEWEST)).isFalse();
  }
}
