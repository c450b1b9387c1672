// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mixed load at full rate for long: memory and space stay what they were, and every value is right.
 */
@Tag("nightly")
class StoreSoakTest {
  private static final Duration LASTS =
      Duration.ofMinutes(Integer.getInteger("verbena.soak.minutes", 60));
  private static final int KEYS = 400_000;
  private static final int LOOKS = 20;

  @TempDir Path folder;

  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean ends;

  @Test
  @Timeout(3 * 3600)
  void keepsMemoryAndSpaceForAnHour() throws Exception {
    StoreOptions options =
        StoreOptions.defaults()
            .withDurability(Durability.INTERVAL)
            .withTables(20_000, 16 << 20)
            .withCacheBytes(32 << 20);
    try (Store store = Store.open(folder, options)) {
      for (int key = 0; key < KEYS; key++) {
        put(store, key);
      }
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        threads.add(Thread.ofPlatform().start(() -> load(store)));
      }
      List<Long> memory = new ArrayList<>();
      List<Long> space = new ArrayList<>();
      for (int look = 0; look < LOOKS && failure.get() == null; look++) {
        Thread.sleep(LASTS.dividedBy(LOOKS)); // that time passes is what is tested
        memory.add(residentKiB());
        space.add(bytesIn(folder));
      }
      ends = true;
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failure.get()).isNull();
      store.verify();
      assertThat(mostOf(memory, LOOKS / 2, LOOKS))
          .as("KiB: " + memory)
          .isLessThan(mostOf(memory, 0, LOOKS / 2) * 5 / 4);
      assertThat(mostOf(space, LOOKS / 2, LOOKS))
          .as("bytes: " + space)
          .isLessThan(mostOf(space, 0, LOOKS / 2) * 5 / 4);
    }
  }

  private static long mostOf(List<Long> values, int from, int to) {
    return values.subList(from, to).stream().mapToLong(value -> value).max().orElseThrow();
  }

  private static long residentKiB() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  private static long bytesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private void load(Store store) {
    try {
      while (!ends) {
        step(store, ThreadLocalRandom.current());
      }
    } catch (RuntimeException | AssertionError e) {
      failure.compareAndSet(null, e);
    }
  }

  private static void step(Store store, ThreadLocalRandom random) {
    int key = random.nextInt(KEYS);
    switch (random.nextInt(20)) {
      case 0 -> store.delete(key(key));
      case 1 -> {
        try (Scan scan = store.scan(key(key), null)) {
          for (int i = 0; i < 50 && scan.next(); i++) {
            check(scan.key(), scan.value());
          }
        }
      }
      case 2, 3, 4, 5, 6, 7, 8, 9 -> put(store, key);
      default -> {
        byte[] value = store.get(key(key));
        if (value != null) {
          check(key(key), value);
        }
      }
    }
  }

  private static void put(Store store, int key) {
    byte[] value = new byte[8 + (key % 10 == 0 ? 1500 : key % 90)];
    Arrays.fill(value, (byte) key);
    store.put(key(key), value);
  }

  private static byte[] key(int key) {
    return String.format("key-%07d", key).getBytes();
  }

  private static void check(byte[] key, byte[] value) {
    int number = Integer.parseInt(new String(key, 4, 7));
    assertThat(value.length).isEqualTo(8 + (number % 10 == 0 ? 1500 : number % 90));
    for (byte each : value) {
      if (each != (byte) number) {
        throw new AssertionError("key " + number + " holds another one's bytes");
      }
    }
  }
}
