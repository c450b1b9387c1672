// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that writes with two threads is killed, again and again. What it has said to be written
 * is there, and at most one write of each thread more.
 */
@Tag("timing")
@Timeout(value = 1, unit = TimeUnit.HOURS) // as many rounds as were asked for
class KilledStoreTest {
  private static final int ROUNDS = Integer.getInteger("verbena.rounds", 3);
  private static final int THREADS = 2;
  private static final int KEYS = 1000; // of a thread; from BATCHES on they are written by batches
  private static final int BATCHES = 500;
  private static final int BATCH = 5;
  private static final Pattern SAID = Pattern.compile("(\\d) (\\d+)");

  private final long seed = Long.getLong("verbena.seed", System.nanoTime());

  private static StoreOptions options(Durability durability) {
    return StoreOptions.defaults()
        .withDurability(durability)
        .withTables(200, 4 << 20)
        .withCacheBytes(1 << 20)
        .withInlineLimit(50)
        .withSpaceAmplification(1.1);
  }

  private static byte[] key(int number) {
    return String.format("key-%04d", number).getBytes();
  }

  /**
   * What a write of a thread does: keys, and whether they are deleted. A function of its number
   * alone.
   */
  private record Write(int[] keys, boolean deletes) {
    static Write of(int thread, long number) {
      Random random = new Random(31 * number + thread);
      int first = thread * KEYS;
      boolean deletes = random.nextInt(8) == 0;
      if (random.nextInt(4) > 0) {
        return new Write(new int[] {first + random.nextInt(BATCHES)}, deletes);
      }
      int[] keys = new int[BATCH];
      keys[0] = first + BATCHES + random.nextInt(BATCHES / BATCH);
      for (int i = 1; i < BATCH; i++) {
        keys[i] = keys[i - 1] + BATCHES / BATCH;
      }
      return new Write(keys, deletes);
    }

    void to(Store store, long number) {
      Batch batch = new Batch();
      for (int key : keys) {
        if (deletes) {
          batch.delete(key(key));
        } else {
          batch.put(key(key), CountedValue.of(key, number));
        }
      }
      store.write(batch);
    }

    void to(TreeMap<Integer, Long> model, long number) {
      for (int key : keys) {
        if (deletes) {
          model.remove(key);
        } else {
          model.put(key, number);
        }
      }
    }
  }

  /** The process that is killed. It says which writes of which thread are done. */
  static final class Writer {
    private Writer() {}

    /**
     * @param arguments folder, durability, and the number of each thread's first write
     */
    public static void main(String[] arguments) {
      Store store = Store.open(Path.of(arguments[0]), options(Durability.valueOf(arguments[1])));
      for (int thread = 0; thread < THREADS; thread++) {
        int own = thread;
        Thread.ofPlatform().start(() -> write(store, own, Long.parseLong(arguments[2 + own])));
      }
    }

    private static void write(Store store, int thread, long first) {
      try {
        for (long number = first; ; number++) {
          Write.of(thread, number).to(store, number);
          System.out.println(thread + " " + number);
          if (System.out.checkError()) {
            Runtime.getRuntime().halt(2); // nobody listens any more
          }
        }
      } catch (Throwable e) {
        e.printStackTrace();
        Runtime.getRuntime().halt(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      names = {"MEMORY", "SYNC"})
  void whatWasAcknowledgedOutlivesTheProcess(Durability durability, @TempDir Path folder)
      throws Exception {
    Random random = new Random(seed);
    List<TreeMap<Integer, Long>> models = new ArrayList<>();
    long[] next = new long[THREADS];
    for (int thread = 0; thread < THREADS; thread++) {
      models.add(new TreeMap<>());
      next[thread] = 1;
    }
    for (int round = 0; round < ROUNDS; round++) {
      int enough = 1 + random.nextInt(durability == Durability.SYNC ? 1000 : 8000);
      long[] acknowledged = runAndKill(folder, durability, next, enough);
      try (Store store = Store.open(folder, options(durability))) {
        store.verify();
        for (int thread = 0; thread < THREADS; thread++) {
          next[thread] =
              compare(store, thread, models.get(thread), next[thread], acknowledged[thread]);
        }
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "-Dverbena.seed=" + seed + ", round " + round + ", after " + enough + " writes", e);
      }
    }
  }

  /**
   * Runs the process until it has said enough. Says which was the last write of each thread that it
   * has told of.
   */
  private static long[] runAndKill(Path folder, Durability durability, long[] next, int enough)
      throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Writer.class.getName(),
                folder.toString(),
                durability.name()));
    for (long first : next) {
      command.add(Long.toString(first));
    }
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    long[] acknowledged = new long[THREADS];
    try {
      int count = take(process, acknowledged, enough);
      assertThat(count).as("writes before the process was killed").isGreaterThanOrEqualTo(enough);
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("the process ends").isTrue();
    return acknowledged;
  }

  /** Kills the process when it has said enough, and takes what it has said until then. */
  private static int take(Process process, long[] acknowledged, int enough) throws IOException {
    int count = 0;
    try (BufferedReader said = process.inputReader()) {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        Matcher parts = SAID.matcher(line);
        if (parts
            .matches()) { // the last line may be the beginning of one, and then tells of an earlier
          // write
          int thread = Integer.parseInt(parts.group(1));
          acknowledged[thread] = Math.max(acknowledged[thread], Long.parseLong(parts.group(2)));
          if (++count == enough) {
            process.toHandle().destroyForcibly(); // leaves open what it has said
          }
        }
      }
    }
    return count;
  }

  /**
   * The writes of a thread up to the last one that was acknowledged are there, or one more. Says
   * which one is next.
   */
  private static long compare(
      Store store, int thread, TreeMap<Integer, Long> model, long first, long last) {
    TreeMap<Integer, Long> found = new TreeMap<>();
    try (Scan scan = store.scan(key(thread * KEYS), key((thread + 1) * KEYS))) {
      while (scan.next()) {
        int key = Integer.parseInt(new String(scan.key(), 4, 4));
        found.put(key, CountedValue.counterOf(key, scan.value()));
        assertThat(store.get(scan.key())).isEqualTo(scan.value());
      }
    }
    long number = first;
    for (; number <= last; number++) {
      Write.of(thread, number).to(model, number);
    }
    if (!found.equals(model)) {
      Write.of(thread, number).to(model, number);
      number++;
    }
    assertThat(found)
        .as("what thread %d has written, up to write %d", thread, number - 1)
        .isEqualTo(model);
    return number;
  }
}
