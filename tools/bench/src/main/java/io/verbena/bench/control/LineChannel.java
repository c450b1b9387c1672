// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.control;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One end of a conversation: lines out, lines in. */
public final class LineChannel {

  /** What is read when the other side is gone. */
  public static final Line END = new Line("end-of-conversation");

  private final BlockingQueue<Line> inbox = new LinkedBlockingQueue<>();
  private final Consumer<Line> outlet;

  /** Makes an end; lines that come in are {@link #deliver delivered}. */
  public LineChannel(Consumer<Line> outlet) {
    this.outlet = outlet;
  }

  /** Two ends within one process. */
  public static LineChannel[] pair() {
    LineChannel[] ends = new LineChannel[2];
    ends[0] = new LineChannel(line -> ends[1].deliver(line));
    ends[1] = new LineChannel(line -> ends[0].deliver(line));
    return ends;
  }

  /** Says something. */
  public void write(Line line) {
    outlet.accept(line);
  }

  /** A line came in. */
  public void deliver(Line line) {
    inbox.add(line);
  }

  /** Waits for a line. */
  public Line read() throws InterruptedException {
    return inbox.take();
  }

  /** Waits for a line; null if none comes in time. */
  public @Nullable Line read(Duration timeout) throws InterruptedException {
    return inbox.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }
}
