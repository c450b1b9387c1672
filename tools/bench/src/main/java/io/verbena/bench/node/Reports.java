// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.bench.control.Line;
import io.verbena.bench.plan.Check;
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
        .with("first_ns", window.firstNs())
        .with("last_ns", window.lastNs())
        .with("timed", window.messages());
  }

  /**
   * The judgement in a report.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Tally tally(Line received) {
    return new Tally(
        count(received, "expected"),
        count(received, "lost"),
        count(received, "duplicated"),
        count(received, "corrupted"),
        count(received, "reordered"));
  }

  /**
   * The times in a report.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Window window(Line report) {
    return new Window(report.number("first_ns"), report.number("last_ns"), count(report, "timed"));
  }

  /**
   * A count in a report.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static long count(Line report, String field) {
    long count = report.number(field);
    Check.that(count >= 0, "'" + field + "' is " + count);
    return count;
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
