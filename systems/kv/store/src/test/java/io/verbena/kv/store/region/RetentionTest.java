// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.kv.store.index.Cursor;
import io.verbena.kv.store.index.Entry;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What is kept against what readers ask for. */
class RetentionTest {

  /** A state of a key, which is one of few. */
  private record State(int key, long sequence, boolean isTombstone) {}

  /** Goes over states; their keys are prefixes of each other, and lie where the others' lay. */
  private static final class States extends Cursor {
    States() {
      memory = MemorySegment.ofArray(new byte[16]).fill((byte) 'k');
    }

    States at(State state) {
      keyLength = 1 + state.key;
      word = Entry.word(state.sequence, state.isTombstone ? Entry.TOMBSTONE : Entry.VALUE);
      return this;
    }

    @Override
    public boolean seek(MemorySegment key, long keyOffset, int keyLength, long word) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean next() {
      throw new UnsupportedOperationException();
    }
  }

  private static List<State> randomStates(Random random) {
    List<State> states = new ArrayList<>();
    int keys = 1 + random.nextInt(6);
    for (long sequence = 1; sequence <= 40; sequence++) {
      if (random.nextInt(3) > 0) {
        states.add(new State(random.nextInt(keys), sequence, random.nextInt(3) == 0));
      }
    }
    states.sort(Comparator.comparing(State::key).thenComparing(s -> -s.sequence));
    return states;
  }

  private static long[] randomSnapshots(Random random) {
    return random.longs(random.nextInt(6), 0, 45).distinct().sorted().toArray();
  }

  private static List<State> kept(List<State> states, long[] snapshots, boolean lowest) {
    Retention retention = new Retention(snapshots, lowest);
    States cursor = new States();
    return states.stream().filter(state -> retention.keeps(cursor.at(state))).toList();
  }

  /** What a reader finds that sees the writes up to a number; null for no entry. */
  private static State read(List<State> states, int key, long upTo) {
    return states.stream()
        .filter(state -> state.key == key && state.sequence <= upTo)
        .max(Comparator.comparing(State::sequence))
        .orElse(null);
  }

  private static boolean isNeeded(State state, List<State> states, long[] snapshots) {
    return LongStream.concat(LongStream.of(snapshots), LongStream.of(Long.MAX_VALUE))
        .anyMatch(reader -> state.equals(read(states, state.key, reader)));
  }

  @Property(tries = 2000)
  void keepsTheNewestOfEachKeyAndWhatASnapshotSees(@ForAll long seed) {
    Random random = new Random(seed);
    List<State> states = randomStates(random);
    long[] snapshots = randomSnapshots(random);
    assertThat(kept(states, snapshots, false))
        .describedAs("snapshots %s of %s", Arrays.toString(snapshots), states)
        .containsExactlyElementsOf(
            states.stream().filter(state -> isNeeded(state, states, snapshots)).toList());
  }

  @Property(tries = 2000)
  void dropsTombstonesOfTheLowestTreeThatNoSnapshotPrecedes(@ForAll long seed) {
    Random random = new Random(seed);
    List<State> states = randomStates(random);
    long[] snapshots = randomSnapshots(random);
    assertThat(kept(states, snapshots, true))
        .describedAs("snapshots %s of %s", Arrays.toString(snapshots), states)
        .containsExactlyElementsOf(
            states.stream()
                .filter(state -> isNeeded(state, states, snapshots))
                .filter(state -> !isForNobody(state, states, snapshots))
                .toList());
  }

  private static boolean isForNobody(State state, List<State> states, long[] snapshots) {
    return state.isTombstone
        && state.equals(read(states, state.key, Long.MAX_VALUE))
        && LongStream.of(snapshots).noneMatch(snapshot -> snapshot < state.sequence);
  }

  @Property(tries = 2000)
  void readersFindWhatTheyFoundBefore(@ForAll long seed, @ForAll boolean lowest) {
    Random random = new Random(seed);
    List<State> states = randomStates(random);
    long[] snapshots = randomSnapshots(random);
    List<State> kept = kept(states, snapshots, lowest);
    for (int key = 0; key < 6; key++) {
      for (int i = 0; i <= snapshots.length; i++) {
        long upTo = i < snapshots.length ? snapshots[i] : Long.MAX_VALUE;
        State before = read(states, key, upTo);
        State after = read(kept, key, upTo);
        boolean same =
            Objects.equals(after, before) || (lowest && isNothing(before) && isNothing(after));
        assertThat(same)
            .describedAs("key %d at %d: %s became %s of %s", key, upTo, before, after, states)
            .isTrue();
      }
    }
  }

  private static boolean isNothing(State state) {
    return state == null || state.isTombstone;
  }
}
