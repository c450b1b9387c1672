// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.kv.store.base.Bytes;
import io.verbena.kv.store.index.MergeTest.State;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** A table against a sorted set. */
class MemoryTableTest {

  private static void add(MemoryTable table, State state) {
    MemorySegment key = MemorySegment.ofArray(state.key());
    MemorySegment value = MemorySegment.ofArray(state.value());
    table.add(key, 0, state.key().length, state.word(), value, 0, state.value().length);
  }

  private static State get(TreeSet<State> model, byte[] key, long word) {
    State found = model.ceiling(new State(key, word, MergeTest.NOTHING));
    return found != null && Arrays.equals(found.key(), key) ? found : null;
  }

  @Property(tries = 25)
  void findsTheNewestStateUpToEverySequence(@ForAll long seed) {
    Random random = new Random(seed);
    TreeSet<State> model = new TreeSet<>();
    List<byte[]> keys = keys(random, 30);
    try (MemoryTable table = new MemoryTable(1 << 20, 1000)) {
      fill(table, model, keys, random, 250);
      for (byte[] key : keys) {
        MemorySegment memory = MemorySegment.ofArray(key);
        for (int sequence = 0; sequence <= 251; sequence++) {
          State expected = get(model, key, Entry.upTo(sequence));
          Found found = new Found(null);
          assertThat(get(table, memory, Entry.upTo(sequence), found)).isEqualTo(expected != null);
          if (expected != null) {
            expected.assertIsIn(found, "sequence " + sequence);
          }
        }
      }
    }
  }

  private static boolean get(MemoryTable table, MemorySegment key, long word, Found found) {
    int length = (int) key.byteSize();
    return table.get(key, 0, length, Bytes.hash(key, 0, length), word, found);
  }

  private static List<byte[]> keys(Random random, int count) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(MergeTest.randomKey(random, Entry.MAX_KEY));
    }
    return keys;
  }

  private static void fill(
      MemoryTable table, TreeSet<State> model, List<byte[]> keys, Random random, int count) {
    for (int i = 1; i <= count; i++) {
      byte[] key = keys.get(random.nextInt(keys.size()));
      State state = MergeTest.randomState(random, key, i, 60);
      add(table, state);
      model.add(state);
    }
  }

  @Property(tries = 50)
  void aCursorGoesOverAllEntriesInOrderFromAnyPlace(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    TreeSet<State> model = new TreeSet<>();
    List<byte[]> keys = keys(random, 40);
    try (MemoryTable table = new MemoryTable(1 << 20, 1000)) {
      for (int round = 0; round < 2; round++) {
        fill(table, model, keys, random, random.nextInt(300));
        assertThat(table.pairs()).isEqualTo(model.size());
        assertThat(table.isEmpty()).isEqualTo(model.isEmpty());
        Cursor cursor = table.cursor();
        assertThat(MergeTest.rest(cursor, cursor.next(), 1000)).containsExactlyElementsOf(model);
        for (byte[] key : keys(random, 30)) {
          assertSeeks(cursor, model, key, Entry.NEWEST);
          byte[] known = keys.get(random.nextInt(keys.size()));
          assertSeeks(cursor, model, known, Entry.upTo(random.nextInt(300)));
        }
        for (State state : model) {
          assertSeeks(cursor, model, state.key(), state.word());
        }
        table.clear();
        model.clear();
        assertThat(table.cursor().next()).isFalse();
      }
    }
  }

  private static void assertSeeks(Cursor cursor, TreeSet<State> model, byte[] key, long word)
      throws IOException {
    boolean any = cursor.seek(MemorySegment.ofArray(key), 0, key.length, word);
    assertThat(MergeTest.rest(cursor, any, 5))
        .containsExactlyElementsOf(
            model.tailSet(new State(key, word, MergeTest.NOTHING)).stream().limit(5).toList());
  }

  @Property(tries = 300)
  void hasRoomIsHonest(@ForAll long seed) {
    Random random = new Random(seed);
    int bytes = 512 + random.nextInt(16 << 10);
    int maxPairs = 1 + random.nextInt(200);
    int longest = 1 + random.nextInt(random.nextBoolean() ? 8 : Entry.MAX_KEY);
    TreeSet<State> model = new TreeSet<>();
    try (MemoryTable table = new MemoryTable(bytes, maxPairs)) {
      while (true) {
        List<State> group = new ArrayList<>();
        long groupBytes = 0;
        for (int i = 1 + random.nextInt(9); i > 0; i--) {
          byte[] key = MergeTest.randomKey(random, longest);
          long sequence = model.size() + group.size() + 1;
          group.add(MergeTest.randomState(random, key, sequence, longest));
          groupBytes += key.length + group.getLast().value().length;
        }
        if (!table.hasRoom(group.size(), groupBytes)) {
          boolean pairsFull = model.size() + group.size() > Math.min(maxPairs, bytes / 96);
          long worst = groupBytes + 100L * group.size() + bytes / 8 + 128; // and the hash table
          assertThat(pairsFull || table.usedBytes() + worst > bytes).isTrue();
          break;
        }
        group.forEach(state -> add(table, state));
        model.addAll(group);
      }
      assertThat(table.pairs()).isEqualTo(model.size());
      for (State state : model) {
        Found found = new Found(null);
        MemorySegment key = MemorySegment.ofArray(state.key());
        assertThat(get(table, key, state.word(), found)).isTrue();
        state.assertIsIn(found, "full table");
      }
    }
  }

  /** Somebody may choose keys that all want the same place of the hash table. */
  @Test
  void keysThatCollideAreFoundAndOthersAreNot() {
    List<byte[]> colliding = new ArrayList<>();
    for (int i = 0; colliding.size() < 200; i++) {
      byte[] key = ByteBuffer.allocate(4).putInt(i).array();
      if ((Bytes.hash(MemorySegment.ofArray(key), 0, 4) & 0x1fff) == 0) {
        colliding.add(key); // any 13 bits are more than those of a table for a thousand pairs
      }
    }
    try (MemoryTable table = new MemoryTable(1 << 20, 1000)) {
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 150; i++) {
          int sequence = 150 * round + i + 1;
          add(table, new State(colliding.get(i), Entry.word(sequence, Entry.VALUE), new byte[3]));
        }
        for (int i = 0; i < 200; i++) {
          Found found = new Found(null);
          MemorySegment key = MemorySegment.ofArray(colliding.get(i));
          assertThat(get(table, key, Entry.NEWEST, found)).isEqualTo(i < 150);
          if (i < 150) {
            assertThat(found.version()).isEqualTo(150L * round + i + 1);
          }
        }
      }
    }
  }

  /** Entries of few keys, so that one is often added right before the one that is sought. */
  private static State numbered(int sequence) {
    int key = (sequence * 0x9e3779b9) >>> 30;
    ByteBuffer value = ByteBuffer.allocate(24).putLong(sequence).putLong(~sequence);
    return new State(new byte[] {(byte) key}, Entry.word(sequence, Entry.VALUE), value.array());
  }

  @Test
  void readersSeeAllThatWasPublishedAndNothingOfWhatIsNewer() throws Exception {
    int last = 150_000;
    int[] previous = new int[last + 1];
    int[] latest = new int[4];
    for (int i = 1; i <= last; i++) {
      int key = numbered(i).key()[0];
      previous[i] = latest[key];
      latest[key] = i;
    }
    AtomicInteger published = new AtomicInteger();
    try (MemoryTable table = new MemoryTable(32 << 20, last);
        ExecutorService threads = Executors.newFixedThreadPool(3)) {
      Future<?> writer = threads.submit(() -> write(table, last, published));
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        readers.add(threads.submit(() -> read(table, previous, published, writer)));
      }
      writer.get();
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
  }

  private static void write(MemoryTable table, int last, AtomicInteger published) {
    for (int i = 1; i <= last; i++) {
      State state = numbered(i);
      assertThat(table.hasRoom(1, state.key().length + state.value().length)).isTrue();
      add(table, state);
      published.set(i);
    }
  }

  private static Void read(
      MemoryTable table, int[] previous, AtomicInteger published, Future<?> writer)
      throws IOException {
    Cursor cursor = table.cursor();
    Found found = new Found(null);
    while (!writer.isDone()) {
      int now = published.get();
      State newest = numbered(now);
      MemorySegment key = MemorySegment.ofArray(newest.key());
      String about = "published up to " + now;
      if (now > 0) {
        assertThat(get(table, key, Entry.upTo(now), found)).describedAs(about).isTrue();
        newest.assertIsIn(found, about);
        boolean more = cursor.seek(key, 0, 1, Entry.upTo(now));
        for (int i = now, steps = 30; i > 0 && steps > 0; i = previous[i], steps--) {
          assertThat(more).describedAs(about).isTrue();
          assertThat(State.of(cursor)).describedAs(about).isEqualTo(numbered(i));
          more = cursor.next();
        }
      }
    }
    return null;
  }
}
