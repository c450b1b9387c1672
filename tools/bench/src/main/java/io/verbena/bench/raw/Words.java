// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.raw;

import io.verbena.bench.control.BenchException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Two words in a file that two processes map: each writes one and waits for the other's. */
final class Words implements AutoCloseable {

  /** Ends the other side. */
  static final long END = -1;

  private static final long PING = 0;
  private static final long PONG = 512; // far enough that neither is fetched with the other
  private static final int SPINS = 20_000;
  private static final long PATIENCE_NS = 30_000_000_000L;
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment page;

  private Words(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      page = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096, arena);
    }
  }

  static Words open(Path file) throws IOException {
    return new Words(file);
  }

  /** Says a number and waits until the other side has said the same. */
  void ping(long number) {
    LONG.setRelease(page, PING, number); // pairs with await on the other side, as does its answer
    await(PONG, number - 1, System.nanoTime() + PATIENCE_NS);
  }

  void end() {
    LONG.setRelease(page, PING, END);
  }

  /** Repeats every number until the end. */
  void answer() {
    long last = 0;
    while (last != END) {
      last = await(PING, last, Long.MAX_VALUE); // the parent's end ends this process
      LONG.setRelease(page, PONG, last);
    }
  }

  /** Spins; yields where the other side may need this core. */
  private long await(long offset, long former, long endNs) {
    for (int i = 0; ; i++) {
      long now = (long) LONG.getAcquire(page, offset);
      if (now != former) {
        return now;
      }
      if (i > SPINS) {
        if (Thread.currentThread().isInterrupted() || System.nanoTime() > endNs) {
          throw new BenchException("the raw peer does not answer, or is not waited for any more");
        }
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
