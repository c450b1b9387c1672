// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.kv;

import io.verbena.bench.process.AtExit;
import io.verbena.bench.process.JavaCommand;
import io.verbena.cli.demo.DemoException;
import io.verbena.kv.store.Scan;
import io.verbena.kv.store.Store;
import io.verbena.kv.store.StoreStats;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Has a process write real text into a store, kills it by SIGKILL in the middle, opens the store,
 * and looks whether each write that was acknowledged is there; again and again.
 */
final class KvDemo {
  private static final int ROUNDS = 8;
  private static final int MIN_MILLIS = 700;
  private static final int MORE_MILLIS = 1500;

  private final Path folder;
  private final List<Path> files;
  private final DemoText text;
  private final PrintWriter out;
  private final Random random = new Random();
  private long writes;

  KvDemo(Path folder, List<Path> files, PrintWriter out) throws IOException {
    this.folder = folder;
    this.files = files;
    this.text = new DemoText(files);
    this.out = out;
  }

  void run() throws IOException, InterruptedException {
    out.printf(
        "%,d pieces of text; a process writes them into %s until it is killed%n%n",
        text.keys(), folder);
    out.println("round  acknowledged  writes/s  opened in  checked");
    for (int round = 1; round <= ROUNDS; round++) {
      long before = writes;
      double seconds = writeUntilKilled();
      long begin = System.nanoTime();
      try (Store store = Store.open(folder)) {
        double opened = (System.nanoTime() - begin) / 1e6;
        long found = check(store);
        out.printf(
            "%5d  %,12d  %,8.0f  %6.0f ms  %,d keys, all there%n",
            round, writes, (writes - before) / seconds, opened, found);
        out.flush();
        if (round == ROUNDS) {
          tellSizes(store);
        }
      }
    }
  }

  /** Says for how long the process wrote. */
  private double writeUntilKilled() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(JavaCommand.ofThisJvm(DemoWriter.class, List.of()));
    command.add(folder.toString());
    command.add(Long.toString(writes));
    files.forEach(file -> command.add(file.toString()));
    Process writer = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    AtExit.add(writer);
    try (DataInputStream acknowledged =
        new DataInputStream(new BufferedInputStream(writer.getInputStream()))) {
      writes = acknowledged.readLong();
      long begin = System.nanoTime();
      long end = begin + (MIN_MILLIS + random.nextInt(MORE_MILLIS)) * 1_000_000L;
      while (System.nanoTime() < end) {
        writes = acknowledged.readLong();
      }
      writer.toHandle().destroyForcibly(); // leaves what it has said to be read
      double seconds = (System.nanoTime() - begin) / 1e9;
      readRest(acknowledged);
      return seconds;
    } catch (EOFException e) {
      throw new DemoException(
          "the writing process has ended by itself, after " + writes + " writes");
    } finally {
      writer.destroyForcibly().waitFor();
      AtExit.remove(writer);
    }
  }

  /** All acknowledgements before it died count. */
  private void readRest(DataInputStream acknowledged) throws IOException {
    try {
      while (true) {
        writes = acknowledged.readLong();
      }
    } catch (EOFException e) {
      return;
    }
  }

  /** Each key holds the last write that was acknowledged, or a later one. */
  private long check(Store store) {
    long found = 0;
    long latest = writes;
    for (int key = 0; key < text.keys(); key++) {
      byte[] value = store.get(text.key(key));
      long acknowledged = text.lastOf(key, writes);
      if (value == null && acknowledged < 0) {
        continue;
      }
      if (value == null || DemoText.writeOf(value) < acknowledged) {
        throw new DemoException("write " + acknowledged + " was acknowledged, and is lost");
      }
      long write = DemoText.writeOf(value);
      if (!Arrays.equals(value, text.value(write)) || write % text.keys() != key) {
        throw new DemoException("key " + key + " holds bytes that nobody wrote");
      }
      latest = Math.max(latest, write + 1);
      found++;
    }
    writes = latest;
    return found;
  }

  private void tellSizes(Store store) {
    long data = 0;
    try (Scan scan = store.scan(new byte[0], null)) {
      while (scan.next()) {
        data += scan.key().length + scan.value().length;
      }
    }
    store.compact();
    store.verify();
    StoreStats stats = store.stats();
    double stored = stats.indexBytes() + stats.logBytes();
    out.printf(
        "%n%,.1f MB of keys and values take %,.1f MB in files: index %,.1f, log %,.1f, of which %,.1f are values in use (%.2f times)%n",
        data / 1e6,
        stored / 1e6,
        stats.indexBytes() / 1e6,
        stats.logBytes() / 1e6,
        stats.liveLogBytes() / 1e6,
        stored / data);
    out.println("every byte of the files was read and is as it was written");
  }
}
