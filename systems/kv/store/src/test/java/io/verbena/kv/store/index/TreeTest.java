// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.kv.store.base.Bytes;
import io.verbena.kv.store.base.Damage;
import io.verbena.kv.store.disk.Disk.Access;
import io.verbena.kv.store.disk.DiskFile;
import io.verbena.kv.store.disk.Folder;
import io.verbena.kv.store.disk.Segments;
import io.verbena.kv.store.index.MergeTest.State;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Trees on a disk against sorted sets, and with bytes of them changed. */
class TreeTest {
  private static final String SUFFIX = ".index";

  /** How the entries of a tree are made. */
  enum Shape {
    ONE_ENTRY(1, 1, 0, 10, 100, 1, 1),
    ONE_LEAF(20, 2, 3, 10, 40, 1, 1),
    SEVERAL_LEAVES(300, 2, 5, 60, 100, 1, 2),
    MORE_THAN_A_SEGMENT(30_000, 1, 10, 14, 200, 2, 3),
    SEVERAL_HEIGHTS(250, 2, 1020, 4, 900, 1, 6),
    MANY_STATES_OF_A_KEY(4, 2000, 200, 5, 60, 1, 3),
    LARGEST(700, 1, 1021, 3, 1024, 2, 6);

    private final int keys;
    private final int states;
    private final int common;
    private final int more;
    private final int value;
    private final int segments;
    private final int height;

    /**
     * @param states of each key
     * @param common bytes with which each key begins
     * @param more bytes of a key behind these; those of the largest keys are always as many
     */
    Shape(int keys, int states, int common, int more, int value, int segments, int height) {
      this.keys = keys;
      this.states = states;
      this.common = common;
      this.more = more;
      this.value = value;
      this.segments = segments;
      this.height = height;
    }

    TreeSet<State> entries(Random random) {
      TreeSet<byte[]> different = new TreeSet<>(Arrays::compareUnsigned);
      while (different.size() < keys) {
        byte[] end = MergeTest.randomKey(random, more);
        byte[] key = new byte[common + (common + more == Entry.MAX_KEY ? more : end.length)];
        Arrays.fill(key, (byte) 'c');
        System.arraycopy(end, 0, key, common, end.length);
        different.add(key);
      }
      TreeSet<State> all = new TreeSet<>();
      for (int i = 0; i < states; i++) {
        for (byte[] key : different) {
          State state = MergeTest.randomState(random, key, 2L * all.size() + 2, value);
          boolean largest = this == LARGEST && Entry.kind(state.word()) == Entry.VALUE;
          all.add(largest ? new State(key, state.word(), new byte[value]) : state);
        }
      }
      return all;
    }
  }

  @TempDir private Path folder;
  private final BlockCache cache = new BlockCache(1 << 20);

  @AfterEach
  void closeCache() {
    cache.close();
  }

  static Segments segments(Path folder, Access access) throws IOException {
    return new Segments(new Folder(folder), SUFFIX, access);
  }

  /**
   * @param keys how many the writer is told that there may be
   */
  static TreeInfo write(Segments segments, Iterable<State> entries, int keys) throws IOException {
    SegmentSink sink =
        new SegmentSink() {
          private long number = 0x7_0000_0000_0001L;

          @Override
          public long newNumber() {
            return number += 3;
          }

          @Override
          public void finished(long number, MemorySegment bytes) throws IOException {
            DiskFile file = segments.create(number);
            file.write(0, bytes.asByteBuffer());
          }
        };
    try (TreeWriter writer = new TreeWriter(sink, 1, keys)) {
      for (State entry : entries) {
        MergeTest.ListCursor cursor = new MergeTest.ListCursor(List.of(entry));
        cursor.next();
        writer.add(cursor);
        cursor.next(); // spoils its bytes
      }
      return writer.finish();
    }
  }

  @ParameterizedTest
  @EnumSource
  void findsWhatASortedSetFinds(Shape shape) throws IOException {
    long seed = System.nanoTime();
    String about = shape + ", seed " + seed;
    Random random = new Random(seed);
    TreeSet<State> model = shape.entries(random);
    try (Segments segments = segments(folder, Access.DIRECT)) {
      TreeInfo info = write(segments, model, model.size());
      assertThat(info.entries()).isEqualTo(model.size());
      assertThat(info.tombstones()).isEqualTo(model.stream().filter(TreeTest::isTombstone).count());
      assertThat(info.segments()).describedAs(about).hasSizeGreaterThanOrEqualTo(shape.segments);
      assertThat(info.height()).describedAs(about).isGreaterThanOrEqualTo(shape.height);
      Tree tree = new Tree(info, segments, cache);
      assertGoesOverAll(tree, model, about);
      assertGets(tree, model, about);
      assertSeeks(tree.cursor(), model, random, about);
      assertFilters(tree, model, random, about);
      tree.verify(() -> {});
    }
  }

  private static boolean isTombstone(State state) {
    return Entry.kind(state.word()) == Entry.TOMBSTONE;
  }

  private static void assertGoesOverAll(Tree tree, TreeSet<State> model, String about)
      throws IOException {
    List<State> all = List.copyOf(model);
    Cursor cursor = tree.cursor();
    boolean any = cursor.seek(MemorySegment.NULL, 0, 0, Entry.NEWEST);
    assertThat(MergeTest.rest(cursor, any, all.size() + 1).equals(all)).describedAs(about).isTrue();
    assertThat(cursor.next()).describedAs(about).isFalse();
    try (TreeScanner scanner = tree.scanner()) {
      List<State> scanned = MergeTest.rest(scanner, scanner.next(), all.size() + 1);
      assertThat(scanned.equals(all)).describedAs(about).isTrue();
    }
  }

  private static void assertGets(Tree tree, TreeSet<State> model, String about) throws IOException {
    for (State state : model) {
      for (long sequence = state.sequence() - 1; sequence <= state.sequence() + 1; sequence++) {
        assertGet(tree, model, state.key(), Entry.upTo(sequence), about);
      }
      assertGet(tree, model, state.key(), Entry.NEWEST, about);
      byte[] longer = Arrays.copyOf(state.key(), state.key().length + 1);
      assertGet(tree, model, longer, Entry.NEWEST, about);
    }
  }

  private static void assertGet(
      Tree tree, TreeSet<State> model, byte[] key, long word, String about) throws IOException {
    State next = model.ceiling(new State(key, word, MergeTest.NOTHING));
    boolean there = next != null && Arrays.equals(next.key(), key);
    MemorySegment memory = MemorySegment.ofArray(key);
    Found found = new Found(null);
    long hash = Bytes.hash(memory, 0, key.length);
    assertThat(tree.get(memory, 0, key.length, hash, word, found))
        .describedAs(about)
        .isEqualTo(there);
    if (there) {
      next.assertIsIn(found, about);
    }
  }

  /** Before, at, between and behind every key; before, at and behind every state. */
  private static void assertSeeks(Cursor cursor, TreeSet<State> model, Random random, String about)
      throws IOException {
    byte[] behindAll = new byte[Entry.MAX_KEY];
    Arrays.fill(behindAll, (byte) 0xff);
    assertSeek(cursor, model, behindAll, Entry.NEWEST, 1, about);
    for (State state : model) {
      byte[] key = state.key();
      int walk = random.nextInt(50) == 0 ? random.nextInt(200) : 2;
      assertSeek(cursor, model, Arrays.copyOf(key, key.length - 1), 0, 1, about);
      assertSeek(cursor, model, Arrays.copyOf(key, key.length + 1), Entry.NEWEST, 1, about);
      assertSeek(cursor, model, key, Entry.NEWEST, 1, about);
      assertSeek(cursor, model, key, state.word() + 1, 1, about);
      assertSeek(cursor, model, key, state.word(), walk, about);
      assertSeek(cursor, model, key, state.word() - 1, 1, about);
      assertSeek(cursor, model, key, 0, 1, about);
    }
  }

  private static void assertSeek(
      Cursor cursor, TreeSet<State> model, byte[] key, long word, int walk, String about)
      throws IOException {
    boolean any = cursor.seek(MemorySegment.ofArray(key), 0, key.length, word);
    List<State> expected =
        model.tailSet(new State(key, word, MergeTest.NOTHING)).stream().limit(walk).toList();
    assertThat(MergeTest.rest(cursor, any, walk)).describedAs(about).isEqualTo(expected);
  }

  private static void assertFilters(Tree tree, TreeSet<State> model, Random random, String about)
      throws IOException {
    for (State state : model) {
      assertThat(tree.mayHave(hash(state.key()))).describedAs(about).isTrue();
    }
    int passed = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] absent = ByteBuffer.allocate(13).putLong(random.nextLong()).put(12, (byte) 7).array();
      passed += tree.mayHave(hash(absent)) ? 1 : 0;
    }
    assertThat(passed).describedAs(about).isLessThan(600);
  }

  private static long hash(byte[] key) {
    return Bytes.hash(MemorySegment.ofArray(key), 0, key.length);
  }

  /** What is wrong with the files, for one who has nothing of them in a cache; null for nothing. */
  private IOException verify(TreeInfo info, Access access) throws IOException {
    try (Segments segments = segments(folder, access)) {
      new Tree(info, segments, cache).verify(() -> {});
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  private void assertDamaged(IOException found, Path file, Object what) {
    assertThat(found)
        .describedAs("%s of %s", what, file)
        .isInstanceOf(Damage.class)
        .hasMessageStartingWith(file.toString());
  }

  private TreeInfo written(Shape shape, int keys) throws IOException {
    try (Segments segments = segments(folder, Access.CACHED)) {
      return write(segments, shape.entries(new Random(shape.keys)), keys);
    }
  }

  private Path file(long number) {
    return folder.resolve(String.format("%016x%s", number, SUFFIX));
  }

  private static void flip(Path file, long offset) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, offset);
      one.put(0, (byte) (one.get(0) ^ 1 << offset % 8)).rewind();
      channel.write(one, offset);
    }
  }

  private void assertFindsFlips(TreeInfo info, int first, int step) throws IOException {
    for (long number : info.segments()) {
      Path file = file(number);
      for (long offset = first; offset < Files.size(file); offset += step) {
        flip(file, offset);
        assertDamaged(verify(info, Access.CACHED), file, "byte " + offset);
        flip(file, offset);
      }
    }
    assertThat(verify(info, Access.CACHED)).isNull();
  }

  @Test
  void verifyFindsEachByteOfASmallTreeThatHasChanged() throws IOException {
    TreeInfo info = written(Shape.ONE_LEAF, 40);
    assertThat(info.blocks()).isEqualTo(2);
    assertFindsFlips(info, 0, 1);
  }

  @Test
  void verifyFindsBytesOfLargeTreesThatHaveChanged() throws IOException {
    TreeInfo info = written(Shape.LARGEST, 700);
    assertFindsFlips(info, 0, 7919);
  }

  /** A merge that drops many entries makes a filter for more keys than come. */
  @Test
  void verifyFindsBytesThatHaveChangedInAFilterWithFewKeys() throws IOException {
    TreeInfo info = written(Shape.ONE_LEAF, 2_000_000);
    assertThat(info.segments()).hasSize(2);
    assertFindsFlips(info, 17, 10 * Block.BYTES);
  }

  @Test
  void verifyReadsFilesAlthoughTheirBlocksAreCached() throws IOException {
    TreeInfo info = written(Shape.SEVERAL_LEAVES, 600);
    Path file = file(info.segments()[0]);
    try (Segments segments = segments(folder, Access.CACHED)) {
      Tree tree = new Tree(info, segments, cache);
      tree.verify(() -> {});
      for (int offset = 99; offset < Files.size(file); offset += Block.BYTES) {
        flip(file, offset);
        assertThatThrownBy(
                () -> tree.verify(() -> {}), "byte %d of %d blocks", offset, info.blocks())
            .isInstanceOf(Damage.class)
            .hasMessageStartingWith(file.toString());
        flip(file, offset);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void verifyFindsWhatIsCutOffAFile(Access access) throws IOException {
    TreeInfo info = written(Shape.LARGEST, 700);
    for (long number : info.segments()) {
      Path file = file(number);
      byte[] whole = Files.readAllBytes(file);
      for (int left : new int[] {0, 1, 4096, 5000, whole.length - 4096, whole.length - 1}) {
        Files.write(file, Arrays.copyOf(whole, left));
        assertDamaged(verify(info, access), file, left + " bytes");
      }
      Files.delete(file);
      assertDamaged(verify(info, access), file, "nothing");
      Files.write(file, whole);
    }
    assertThat(verify(info, access)).isNull();
  }

  @Test
  void verifyFindsABlockInThePlaceOfAnother() throws IOException {
    TreeInfo info = written(Shape.SEVERAL_LEAVES, 600);
    Path file = file(info.segments()[0]);
    byte[] bytes = Files.readAllBytes(file);
    System.arraycopy(bytes, 2 * Block.BYTES, bytes, Block.BYTES, Block.BYTES);
    Files.write(file, bytes);
    assertDamaged(verify(info, Access.CACHED), file, "block 2 as block 1");
  }

  @Test
  void verifyCountsEntries() throws IOException {
    TreeInfo it = written(Shape.SEVERAL_LEAVES, 600);
    for (int i = 0; i < 2; i++) {
      TreeInfo wrong =
          new TreeInfo(
              1,
              it.height(),
              it.blocks(),
              it.filterBlocks(),
              it.entries() + 1 - i,
              it.tombstones() + i,
              it.segments());
      assertDamaged(verify(wrong, Access.CACHED), file(it.segments()[0]), "counts");
    }
  }

  @Test
  void noEntriesAreNoTree() throws IOException {
    try (Segments segments = segments(folder, Access.DIRECT)) {
      assertThat(write(segments, List.of(), 10).segments()).isEmpty();
    }
    assertThat(folder).isEmptyDirectory();
  }
}
