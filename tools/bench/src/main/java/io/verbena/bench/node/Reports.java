// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.bench.control.Line;
import io.verbena.bench.verify.Tally;
import io.verbena.bench.verify.Window;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** What nodes report, as lines. */
public final class Reports {

  /** Round trips from 1 ns to this are told apart, to 3 digits. */
  public static final long MAX_RTT_NS = 60_000_000_000L;

  private Reports() {}

  /** An empty histogram of round trips. */
  public static Histogram newHistogram() {
    return new Histogram(1, MAX_RTT_NS, 3);
  }

  static Line received(Tally tally, Window window) {
    return new Line("received")
        .with("expected", tally.expected())
        .with("lost", tally.lost())
        .with("duplicated", tally.duplicated())
        .with("corrupted", tally.corrupted())
        .with("reordered", tally.reordered())
        .with("first", window.firstNs())
        .with("last", window.lastNs())
        .with("timed", window.messages());
  }

  /** The judgement in a report. */
  public static Tally tally(Line received) {
    return new Tally(
        received.number("expected"),
        received.number("lost"),
        received.number("duplicated"),
        received.number("corrupted"),
        received.number("reordered"));
  }

  /** The times in a report. */
  public static Window window(Line received) {
    return new Window(received.number("first"), received.number("last"), received.number("timed"));
  }

  static String histogram(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  /** The round trips in a report. */
  public static Histogram histogram(String encoded) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(encoded));
      return Histogram.decodeFromCompressedByteBuffer(bytes, MAX_RTT_NS);
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("not a histogram", e);
    }
  }
}
