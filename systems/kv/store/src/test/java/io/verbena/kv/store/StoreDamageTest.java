// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;

import io.verbena.kv.store.StoreException.Reason;
import io.verbena.kv.store.StoreSimulationTest.Inline;
import io.verbena.kv.store.base.Bytes;
import io.verbena.kv.store.disk.Disk;
import io.verbena.kv.store.disk.Disk.Access;
import io.verbena.kv.store.disk.DiskFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stores whose files were changed, cut short, lost or mixed up. What is read is right, or the file
 * is named that is not. Only what a process that was killed has written last may be missing, and
 * then the store says that it was cut off.
 */
class StoreDamageTest {
  /** 1 for all bytes; without it so many of each file that the tests take some seconds. */
  private static final int STRIDE = Integer.getInteger("verbena.stride", 0);

  private static final int FLIPS = 90; // of a long file
  private static final int ALWAYS = 64; // the first bytes of a file, all of which are tried

  private final long seed = Long.getLong("verbena.seed", System.nanoTime());

  private static StoreOptions options() {
    return StoreOptions.defaults()
        .withDurability(Durability.MEMORY)
        .withTables(120, 4 << 20)
        .withCacheBytes(1 << 20)
        .withInlineLimit(40);
  }

  private static Store open(Disk disk) {
    return Store.open(disk, options(), new Inline());
  }

  private static byte[] key(int number) {
    return String.format("key-%03d", number).getBytes(UTF_8);
  }

  // ---- stores to damage

  enum Kind {
    /** Closed; the last writes lie in the log only. */
    CLOSED,
    /** Left without close; the last writes are the tail of a log that trees lead to, too. */
    KILLED,
    /** Left without close before anything was flushed. */
    KILLED_YOUNG
  }

  /** A store at rest, and what it has held after each write. */
  private static final class Sample {
    final SimulatedDisk disk;
    final List<TreeMap<byte[], byte[]>> history = new ArrayList<>();
    final boolean closed;
    long tail = Long.MAX_VALUE; // where, in its log, writes begin that may be cut off
    String tailFile = "none";

    Sample(Kind kind) {
      closed = kind == Kind.CLOSED;
      SimulatedDisk first = new SimulatedDisk();
      history.add(new TreeMap<>(Arrays::compareUnsigned));
      Store store = open(first);
      if (kind == Kind.KILLED_YOUNG) {
        write(store, 0, 60);
        tail = 0;
      } else {
        write(store, 0, 230);
        store.flush();
        if (kind == Kind.CLOSED) {
          store.close();
          store = open(first);
        }
        tail = store.stats().logBytes();
        write(store, 230, 290);
      }
      if (closed) {
        store.close();
        tail = Long.MAX_VALUE;
      }
      disk = first.killed();
      tailFile = closed ? "none" : namesOf(disk, ".log").getLast();
    }

    private void write(Store store, int from, int to) {
      for (int i = from; i < to; i++) {
        TreeMap<byte[], byte[]> next = new TreeMap<>(history.getLast());
        int key = i * 37 % 250;
        if (i % 11 == 10) {
          store.delete(key(key));
          next.remove(key(key));
        } else {
          byte[] value = CountedValue.of(key, i);
          store.put(key(key), value);
          next.put(key(key), value);
        }
        history.add(next);
      }
    }

    TreeMap<byte[], byte[]> last() {
      return history.getLast();
    }
  }

  private static List<String> namesOf(SimulatedDisk disk, String suffix) {
    return disk.contents().keySet().stream().filter(name -> name.endsWith(suffix)).toList();
  }

  private static SimulatedDisk folderOf(SimulatedDisk disk, String file) {
    String[] parts = file.split("/");
    return parts.length == 2 ? disk : (SimulatedDisk) disk.folder(parts[1]);
  }

  private static String nameOf(String file) {
    return file.substring(file.lastIndexOf('/') + 1);
  }

  // ---- what may come of it

  /** What was told of damage, and whether a prefix of the history is all that is left. */
  private record Outcome(List<StoreException> told, boolean isCut) {}

  /** Reads all of a store. Fails if anything is wrong that nobody tells. */
  private static Outcome read(SimulatedDisk disk, Sample sample) {
    List<StoreException> told = new ArrayList<>();
    boolean isCut = false;
    try (Store store = open(disk)) {
      TreeMap<byte[], byte[]> expected = sample.last();
      if (!store.stats().cut().isEmpty()) {
        expected = prefix(store, sample, told);
        isCut = true;
      }
      getAll(store, expected, sample, told);
      scanAll(store, expected, told);
      tell(told, store::verify);
    } catch (StoreException e) {
      told.add(e);
    }
    return new Outcome(told, isCut);
  }

  private static void tell(List<StoreException> told, Runnable call) {
    try {
      call.run();
    } catch (StoreException e) {
      told.add(e);
    }
  }

  /** The state of the history that a store holds whose log was cut. */
  private static TreeMap<byte[], byte[]> prefix(
      Store store, Sample sample, List<StoreException> told) {
    assertThat(sample.closed)
        .as("whether a closed store was cut: %s", store.stats().cut())
        .isFalse();
    TreeMap<byte[], byte[]> found = new TreeMap<>(Arrays::compareUnsigned);
    try (Scan scan = store.scan(new byte[0], null)) {
      while (scan.next()) {
        found.put(scan.key(), scan.value());
      }
    } catch (StoreException e) {
      told.add(e);
      return sample.last(); // what can be read will be compared with it, and must be told of
    }
    for (TreeMap<byte[], byte[]> state : sample.history.reversed()) {
      if (same(state, found)) {
        return state;
      }
    }
    return fail("the %d keys that are left are those of no moment", found.size());
  }

  private static boolean same(TreeMap<byte[], byte[]> a, TreeMap<byte[], byte[]> b) {
    return a.size() == b.size()
        && a.entrySet().stream()
            .allMatch(entry -> Arrays.equals(entry.getValue(), b.get(entry.getKey())));
  }

  private static void getAll(
      Store store, TreeMap<byte[], byte[]> expected, Sample sample, List<StoreException> told) {
    for (int i = 0; i < 252; i++) {
      byte[] key = key(i);
      tell(
          told,
          () ->
              assertThat(store.get(key))
                  .as(
                      "value of %s, at the end of %d writes",
                      new String(key, UTF_8), sample.history.size())
                  .isEqualTo(expected.get(key)));
    }
  }

  private static void scanAll(
      Store store, TreeMap<byte[], byte[]> expected, List<StoreException> told) {
    try (Scan scan = store.scan(new byte[0], null)) {
      for (Map.Entry<byte[], byte[]> entry : expected.entrySet()) {
        assertThat(scan.next()).as("next in a scan").isTrue();
        assertThat(scan.key()).isEqualTo(entry.getKey());
        assertThat(scan.value()).isEqualTo(entry.getValue());
      }
      assertThat(scan.next()).as("next behind the last key").isFalse();
    } catch (StoreException e) {
      told.add(e);
    }
  }

  private static void assertNames(Outcome outcome, String file) {
    for (StoreException told : outcome.told) {
      assertThat(told.reason())
          .as("reason of: %s", told.getMessage())
          .isIn(Reason.DAMAGED, Reason.OTHER_FORMAT);
      assertThat(told).hasMessageContaining(file);
    }
  }

  // ---- one bit

  @ParameterizedTest
  @EnumSource(Kind.class)
  void noChangedBitIsReadInSilence(Kind kind) {
    Sample sample = new Sample(kind);
    Outcome before = read(sample.disk, sample);
    assertThat(before.told).as("of a store that is whole").isEmpty();
    assertThat(before.isCut).isFalse();
    Random random = new Random(seed);
    List<AssertionError> wrong = new ArrayList<>();
    for (var file : sample.disk.contents().entrySet()) {
      byte[] bytes = file.getValue();
      for (int at = 0; at < bytes.length; at += at < ALWAYS ? 1 : stride(bytes.length)) {
        byte bit = (byte) (1 << random.nextInt(8));
        bytes[at] ^= bit;
        try {
          checkFlip(sample, file.getKey(), at, read(sample.disk, sample));
        } catch (AssertionError | RuntimeException e) {
          wrong.add(
              new AssertionError(
                  "bit " + bit + " of byte " + at + " of " + bytes.length + " of " + file.getKey(),
                  e));
        }
        bytes[at] ^= bit;
      }
    }
    assertNone(wrong);
  }

  /** Tells of all places, and why the first one is among them. */
  private void assertNone(List<AssertionError> wrong) {
    if (!wrong.isEmpty()) {
      String places =
          wrong.stream().map(Throwable::getMessage).limit(200).collect(Collectors.joining("\n"));
      throw new AssertionError(
          "-Dverbena.seed=" + seed + "\n" + places, wrong.getFirst().getCause());
    }
  }

  /** A prime, so that it meets all positions of what comes again. */
  private static int stride(int length) {
    int stride = Math.max(1, STRIDE > 0 ? STRIDE : length / FLIPS);
    while (STRIDE == 0 && !BigInteger.valueOf(stride).isProbablePrime(20)) {
      stride++;
    }
    return stride;
  }

  private static void checkFlip(Sample sample, String file, int at, Outcome outcome) {
    assertNames(outcome, file);
    boolean format =
        (nameOf(file).equals("store") || nameOf(file).equals("manifest")) && at >= 4 && at < 8;
    for (StoreException told : outcome.told) {
      assertThat(told.reason()).isEqualTo(format ? Reason.OTHER_FORMAT : Reason.DAMAGED);
    }
    boolean inTail = file.equals(sample.tailFile) && (at >= sample.tail || at < ALWAYS);
    if (outcome.isCut) {
      assertThat(inTail).as("whether the byte lies where the log may be cut").isTrue();
    }
    assertThat(outcome.isCut || !outcome.told.isEmpty()).as("whether it is told").isTrue();
  }

  // ---- files cut short, lost and mixed up

  @ParameterizedTest
  @EnumSource(Kind.class)
  void noFileIsCutShortInSilence(Kind kind) throws IOException {
    Sample sample = new Sample(kind);
    List<AssertionError> wrong = new ArrayList<>();
    for (var file : sample.disk.contents().entrySet()) {
      int length = file.getValue().length;
      Random random = new Random(seed);
      for (int left :
          new int[] {
            0, 1, 11, 63, 64, 65, length / 2, random.nextInt(length), length - 4096, length - 1
          }) {
        if (left >= 0 && left < length) {
          SimulatedDisk disk = sample.disk.killed();
          try (DiskFile opened =
              folderOf(disk, file.getKey()).open(nameOf(file.getKey()), Access.CACHED)) {
            opened.truncate(left);
          }
          checkLoss(disk, sample, file.getKey(), "cut to " + left + " of " + length, wrong);
        }
      }
    }
    assertNone(wrong);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void noFileIsMissingInSilence(Kind kind) throws IOException {
    Sample sample = new Sample(kind);
    List<AssertionError> wrong = new ArrayList<>();
    for (String file : sample.disk.contents().keySet()) {
      SimulatedDisk disk = sample.disk.killed();
      folderOf(disk, file).delete(nameOf(file));
      checkLoss(disk, sample, file, "removed", wrong);
    }
    assertNone(wrong);
  }

  /** Of the tail of a log that was left without close nobody knows how long it was. */
  private static void checkLoss(
      SimulatedDisk disk, Sample sample, String file, String what, List<AssertionError> wrong) {
    try {
      if (file.equals(sample.tailFile)) {
        assertNames(readTail(disk, sample), file);
        return;
      }
      Outcome outcome = read(disk, sample);
      assertNames(outcome, file);
      assertThat(outcome.told).as("what is told").isNotEmpty();
    } catch (AssertionError | RuntimeException e) {
      wrong.add(new AssertionError(file + " " + what, e));
    }
  }

  /** As {@link #read}, where a tail may be gone without a trace. */
  private static Outcome readTail(SimulatedDisk disk, Sample sample) {
    List<StoreException> told = new ArrayList<>();
    try (Store store = open(disk)) {
      TreeMap<byte[], byte[]> expected = prefix(store, sample, told);
      if (told.isEmpty()) {
        getAll(store, expected, sample, told);
        tell(told, store::verify);
      }
    } catch (StoreException e) {
      told.add(e);
    }
    return new Outcome(told, true);
  }

  @ParameterizedTest
  @ValueSource(strings = {".log", ".index"})
  void segmentsThatHaveChangedPlacesAreTold(String suffix) {
    Sample sample = new Sample(Kind.CLOSED);
    List<String> names = namesOf(sample.disk, suffix);
    assertThat(names).hasSizeGreaterThan(1);
    for (int i = 1; i < names.size(); i++) {
      SimulatedDisk disk = sample.disk.killed();
      byte[] one = sample.disk.contents().get(names.get(i - 1));
      byte[] other = sample.disk.contents().get(names.get(i));
      replace(disk, names.get(i - 1), other);
      replace(disk, names.get(i), one);
      Outcome outcome = read(disk, sample);
      assertThat(outcome.told).isNotEmpty();
      for (StoreException told : outcome.told) {
        assertThat(told.reason()).isEqualTo(Reason.DAMAGED);
        assertThat(told.getMessage()).containsAnyOf(names.get(i - 1), names.get(i));
      }
    }
  }

  private static void replace(SimulatedDisk disk, String file, byte[] bytes) {
    try (DiskFile opened = folderOf(disk, file).open(nameOf(file), Access.CACHED)) {
      opened.truncate(0);
      opened.write(0, ByteBuffer.wrap(bytes));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The regions hold as many keys, so that all numbers in their manifests are the same. */
  @Test
  void aManifestOfAnotherRegionIsTold() {
    SimulatedDisk disk = new SimulatedDisk();
    try (Store store = Store.open(disk, options().withSplits(List.of(key(500))), new Inline())) {
      for (int i = 0; i < 100; i++) {
        store.put(key(i), CountedValue.of(7, i));
        store.put(key(500 + i), CountedValue.of(7, i));
      }
      store.flush();
    }
    for (int region = 0; region < 2; region++) {
      SimulatedDisk mixed = disk.killed();
      String file = "disk/region-" + region + "/manifest";
      replace(mixed, file, mixed.contents().get("disk/region-" + (1 - region) + "/manifest"));
      assertThatExceptionOfType(StoreException.class)
          .as("a manifest of region %d in the folder of region %d", 1 - region, region)
          .isThrownBy(() -> open(mixed).close())
          .withMessageContaining(file)
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.DAMAGED));
    }
  }

  @Test
  void aWholeRegionIsNotLostInSilence() throws IOException {
    Sample sample = new Sample(Kind.CLOSED);
    SimulatedDisk disk = sample.disk.killed();
    for (String file : sample.disk.contents().keySet()) {
      if (file.contains("region-0")) {
        folderOf(disk, file).delete(nameOf(file));
      }
    }
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> open(disk).close())
        .withMessageContaining("region-0")
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.DAMAGED));
  }

  /**
   * Writes that were durable are never taken for a tail that a crash has torn. Each segment has two
   * records here, and the second one says that the first one is durable.
   */
  @Test
  void durableWritesAreMissedWhicheverSegmentOfTheLogHasLostItsHead() throws IOException {
    SimulatedDisk first = new SimulatedDisk();
    Store store = Store.open(first, options().withDurability(Durability.SYNC), new Inline());
    for (int i = 0; i < 8; i++) {
      store.put(key(i), new byte[900_000]);
    }
    SimulatedDisk left = first.killed();
    List<String> logs = namesOf(left, ".log");
    assertThat(logs).hasSizeGreaterThan(2);
    for (String log : logs) {
      for (int at = 0; at < ALWAYS; at += 5) {
        SimulatedDisk disk = left.killed();
        disk.contents().get(log)[at] ^= 4;
        assertThatExceptionOfType(StoreException.class)
            .as("byte %d of %s", at, log)
            .isThrownBy(() -> open(disk).close())
            .withMessageContaining(log)
            .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.DAMAGED));
      }
    }
  }

  // ---- other files, other formats

  @ParameterizedTest
  @ValueSource(
      strings = {
        "notes.txt",
        "a-name-without-no.log",
        "zzzzzzzzzzzzzzzz.log",
        "-000000000000001.index",
        "1.log",
        "manifest.old"
      })
  void foreignFilesOfARegionAreLeftAlone(String name) throws IOException {
    Sample sample = new Sample(Kind.CLOSED);
    SimulatedDisk disk = sample.disk.killed();
    disk.folder("region-0").create(name, Access.CACHED).close();
    Outcome outcome = read(disk, sample);
    assertThat(outcome.told).isEmpty();
    try (Store store = open(disk)) {
      store.put(key(1), new byte[100]);
      store.compact();
      assertThat(store.get(key(1))).isEqualTo(new byte[100]);
    }
    assertThat(disk.folder("region-0").list()).contains(name);
  }

  @Test
  void anotherFormatIsCalledSo() {
    Sample sample = new Sample(Kind.CLOSED);
    for (String file : sample.disk.contents().keySet()) {
      SimulatedDisk disk = sample.disk.killed();
      boolean isIndex = file.endsWith(".index"); // whose first block has a head of its own
      disk.contents().get(file)[isIndex ? 20 : 4] = 2;
      Outcome outcome = read(disk, sample);
      assertThat(outcome.told).as("what is told of %s", file).isNotEmpty();
      boolean isFirst = nameOf(file).equals("store") || nameOf(file).equals("manifest");
      for (StoreException told : outcome.told) {
        assertThat(told.reason()).isEqualTo(isFirst ? Reason.OTHER_FORMAT : Reason.DAMAGED);
        assertThat(told).hasMessageContaining(file);
      }
    }
  }

  /** As a bad sector is met: not other bytes, but none. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void aFileThatTheDiskDoesNotGiveIsNamed(Kind kind) {
    Sample sample = new Sample(kind);
    for (String file : sample.disk.contents().keySet()) {
      SimulatedDisk disk = sample.disk.killed();
      disk.world().unreadable = nameOf(file);
      Outcome outcome = read(disk, sample);
      assertNames(outcome, file);
      assertThat(outcome.told).as("what is told of %s", file).isNotEmpty();
    }
  }

  /** Its checksum is right: more regions than it has bytes, and a first key that goes on behind. */
  @ParameterizedTest
  @ValueSource(strings = {"ffffff7f", "01000000ff00"})
  void aStoreFileThatMakesNoSenseIsTold(String rest) {
    SimulatedDisk disk = new Sample(Kind.CLOSED).disk;
    byte[] tail = HexFormat.of().parseHex(rest);
    byte[] bytes = Arrays.copyOf(disk.contents().get("disk/store"), 12 + tail.length);
    System.arraycopy(tail, 0, bytes, 12, tail.length);
    MemorySegment memory = MemorySegment.ofArray(bytes);
    memory.set(Bytes.INT, 8, Bytes.checksum(0, 0, memory.asSlice(12)));
    replace(disk, "disk/store", bytes);
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> open(disk).close())
        .withMessageContaining("disk/store")
        .matches(e -> e.reason() == Reason.DAMAGED);
  }
}
