// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.raw;

import io.verbena.bench.control.Line;
import io.verbena.bench.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;

/** A word there and back between two processes over shared memory, both spinning. */
final class WordPingPong implements Baseline {

  private final Path file;
  private final ChildProcess child;
  private final Words words;
  private long number;

  WordPingPong() throws IOException {
    Path memory = Path.of("/dev/shm");
    file =
        Files.isWritable(memory)
            ? Files.createTempFile(memory, "verbena-raw-", "")
            : Files.createTempFile("verbena-raw-", "");
    words = Words.open(file);
    child =
        ChildProcess.start(
            "raw peer", RawPeer.class, List.of(), new Line(RawPeer.WORDS).with("file", file));
  }

  @Override
  public String name() {
    return "word ping-pong over shared memory";
  }

  @Override
  public int sizeBytes() {
    return Long.BYTES;
  }

  @Override
  public double run(long durationNs, Histogram roundTripNs) {
    long startNs = System.nanoTime();
    long beforeNs = startNs;
    long count = 0;
    while (beforeNs - startNs < durationNs) {
      words.ping(++number);
      long nowNs = System.nanoTime();
      roundTripNs.recordValue(nowNs - beforeNs);
      beforeNs = nowNs;
      count++;
    }
    return count * 1e9 / (beforeNs - startNs);
  }

  @Override
  public void close() throws IOException {
    words.end();
    child.close();
    words.close();
    Files.deleteIfExists(file);
  }
}
