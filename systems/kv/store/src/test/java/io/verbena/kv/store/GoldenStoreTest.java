// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.kv.store.StoreSimulationTest.Inline;
import io.verbena.kv.store.disk.Folder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store that an earlier build has written, in {@code src/test/resources/golden}. It can be read
 * as long as files are of format 1. A change of the format raises its number, and needs another
 * golden store: {@code -Dverbena.test.update=true} makes it.
 */
class GoldenStoreTest {
  private static final String GOLDEN = "/golden/store-1";
  private static final long LIFE = 1L << 32; // the numbers of the first life begin here

  @TempDir private Path folder;

  private static StoreOptions options() {
    return StoreOptions.defaults()
        .withSplits(List.of(key(1000)))
        .withDurability(Durability.SYNC)
        .withTables(64, 4 << 20)
        .withCacheBytes(1 << 20)
        .withInlineLimit(50);
  }

  private static byte[] key(int number) {
    return String.format("key-%04d", number).getBytes(US_ASCII);
  }

  /**
   * Two regions, and two lives: trees, values apart, tombstones, a batch; the second life is in the
   * log alone.
   */
  private static TreeMap<byte[], Versioned> write(Path folder) throws IOException {
    TreeMap<byte[], Versioned> model = new TreeMap<>(Arrays::compareUnsigned);
    try (Store store = Store.open(new Folder(folder), options(), new Inline())) {
      for (int i = 0; i < 100; i++) {
        put(store, model, i % 2 == 0 ? i : 1000 + i, i);
      }
      for (int i = 0; i < 20; i += 4) {
        store.delete(key(i));
        model.remove(key(i));
      }
      store.flush();
    }
    try (Store store = Store.open(new Folder(folder), options(), new Inline())) {
      for (int i = 90; i < 100; i++) {
        put(store, model, i, 100 + i);
      }
      store.delete(key(90));
      model.remove(key(90));
      long last =
          store.write(
              new Batch()
                  .put(key(1001), CountedValue.of(1001, 200))
                  .put(key(2000), CountedValue.of(2000, 201))
                  .put(key(2001), new byte[0]));
      model.put(key(1001), new Versioned(CountedValue.of(1001, 200), last - 2));
      model.put(key(2000), new Versioned(CountedValue.of(2000, 201), last - 1));
      model.put(key(2001), new Versioned(new byte[0], last));
    }
    return model;
  }

  private static void put(Store store, TreeMap<byte[], Versioned> model, int key, int counter) {
    byte[] value = CountedValue.of(key, counter);
    model.put(key(key), new Versioned(value, store.put(key(key), value)));
  }

  private static void makeTheGoldenStoreAgain() throws IOException {
    Path golden = Path.of("src/test/resources" + GOLDEN);
    if (Files.exists(golden)) {
      for (Path file : files(golden)) {
        Files.delete(file);
      }
    }
    write(golden);
    Files.delete(golden.resolve("lock"));
  }

  private static Path golden() {
    URL url = GoldenStoreTest.class.getResource(GOLDEN);
    assertThat(url).as("the golden store").isNotNull();
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Path> files(Path of) throws IOException {
    try (Stream<Path> files = Files.walk(of)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    for (Path file : files(from)) {
      Path copy = to.resolve(from.relativize(file).toString());
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy);
    }
  }

  @Test
  void aStoreOfFormatOneIsReadWithItsVersions() throws IOException {
    TreeMap<byte[], Versioned> expected = write(folder.resolve("model"));
    Path copy = folder.resolve("copy");
    copy(golden(), copy);
    try (Store store = Store.open(copy, options())) {
      compare(store, expected);
      store.verify();
      assertThat(store.stats().cut()).isEmpty();
      store.put(key(3000), key(1)); // and it goes on
      store.compact();
      store.verify();
    }
    expected.remove(key(3000));
    try (Store store = Store.open(copy, options())) {
      assertThat(store.get(key(3000))).isEqualTo(key(1));
      store.delete(key(3000));
      compare(store, expected);
    }
  }

  private static void compare(Store store, TreeMap<byte[], Versioned> expected) {
    try (Scan scan = store.scan(new byte[0], null)) {
      for (Map.Entry<byte[], Versioned> entry : expected.entrySet()) {
        assertThat(scan.next()).isTrue();
        assertThat(scan.key()).isEqualTo(entry.getKey());
        assertThat(scan.value()).isEqualTo(entry.getValue().value());
        assertThat(scan.version()).isEqualTo(entry.getValue().version());
        assertThat(store.get(scan.key())).isEqualTo(scan.value());
      }
      assertThat(scan.next()).isFalse();
    }
  }

  /** So that the expectations do not come from the code alone that is tested. */
  @Test
  void someOfItsContentsAreThese() throws IOException {
    Path copy = folder.resolve("copy");
    copy(golden(), copy);
    try (Store store = Store.open(copy, options())) {
      assertThat(store.get(key(0))).as("a key that was deleted").isNull();
      assertThat(store.getVersioned(key(2)).version()).isEqualTo(LIFE + 1);
      assertThat(store.getVersioned(key(1099)).version()).isEqualTo(LIFE + 49);
      assertThat(store.getVersioned(key(91)).version())
          .as("a key of the second life")
          .isEqualTo(2 * LIFE + 55);
      assertThat(store.getVersioned(key(2001)).version()).isEqualTo(2 * LIFE + 51);
      assertThat(store.get(key(2001))).isEmpty();
      assertThat(CountedValue.counterOf(1001, store.get(key(1001)))).isEqualTo(200);
    }
  }

  /**
   * What is written today has the bytes of the golden store, but for what each build may do in its
   * own way.
   */
  @Test
  void todaysFilesAreTheSame() throws IOException {
    if (Boolean.getBoolean("verbena.test.update")) {
      makeTheGoldenStoreAgain();
      return;
    }
    Path made = folder.resolve("made");
    write(made);
    Files.delete(made.resolve("lock"));
    List<String> names =
        files(golden()).stream().map(file -> golden().relativize(file).toString()).toList();
    assertThat(files(made).stream().map(file -> made.relativize(file).toString()))
        .containsExactlyElementsOf(names);
    for (String name : names) {
      assertThat(Files.readAllBytes(made.resolve(name)))
          .as(name)
          .isEqualTo(Files.readAllBytes(golden().resolve(name)));
    }
  }

  @Test
  void filesBeginWithTheirMagicNumbers() throws IOException {
    List<Path> files = files(golden());
    assertThat(files.stream().mapToLong(GoldenStoreTest::size).sum())
        .as("bytes of all")
        .isLessThan(100_000);
    for (Path file : files) {
      String name = file.getFileName().toString();
      byte[] bytes = Files.readAllBytes(file);
      int at = name.endsWith(".index") ? 16 : 0; // behind the head that each block has
      String magic =
          name.equals("store")
              ? "VBKV"
              : name.equals("manifest") ? "VMAN" : name.endsWith(".log") ? "VLOG" : "VIDX";
      assertThat(new String(bytes, at, 4, US_ASCII)).as(name).isEqualTo(magic);
      assertThat(Arrays.copyOfRange(bytes, at + 4, at + 8))
          .as("format of " + name)
          .isEqualTo(new byte[] {1, 0, 0, 0});
    }
    assertThat(
            files.stream()
                .map(file -> file.getFileName().toString().replaceFirst("^[0-9a-f]{16}", "*"))
                .distinct())
        .containsExactlyInAnyOrder("store", "manifest", "*.log", "*.index");
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
