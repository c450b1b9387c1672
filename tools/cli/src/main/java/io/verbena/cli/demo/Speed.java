// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.bench.node.Reports;
import io.verbena.cli.demo.DemoMessages.Arrived;
import io.verbena.cli.demo.DemoMessages.Question;
import io.verbena.cli.demo.DemoMessages.Reply;
import io.verbena.cli.demo.DemoMessages.Sample;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * How fast a wire is between two processes.
 *
 * @param roundTripNs the median, of request and reply
 * @param messagesPerSecond of 64 bytes, one way
 */
record Speed(double roundTripNs, double messagesPerSecond) {

  static final int SAMPLE_BYTES = 64;

  private static final String WORD = "verbena";

  /**
   * Measures both for so long each.
   *
   * @throws DemoException if something that came back was not what was to come
   */
  static Speed of(Wire wire, Duration each) throws IOException, InterruptedException {
    return new Speed(ask(wire, each).getValueAtPercentile(50), send(wire, each));
  }

  /** The medians of some rounds. */
  static Speed median(List<Speed> rounds) {
    return new Speed(median(rounds, Speed::roundTripNs), median(rounds, Speed::messagesPerSecond));
  }

  private static double median(List<Speed> rounds, ToDoubleFunction<Speed> figure) {
    return rounds.stream()
        .mapToDouble(figure)
        .sorted()
        .skip(rounds.size() / 2)
        .findFirst()
        .orElseThrow();
  }

  private static Histogram ask(Wire wire, Duration time) throws IOException, InterruptedException {
    Histogram roundTrips = Reports.newHistogram();
    long before = System.nanoTime();
    long endNs = before + time.toNanos();
    long number = 0;
    do {
      Reply reply = wire.ask(new Question(number, WORD));
      long now = System.nanoTime();
      roundTrips.recordValue(now - before);
      before = now;
      check(reply.equals(new Reply(number++, WORD.length())), reply);
    } while (before < endNs);
    return roundTrips;
  }

  private static double send(Wire wire, Duration time) throws IOException, InterruptedException {
    long start = System.nanoTime();
    long sent = 0;
    while (System.nanoTime() - start < time.toNanos()) {
      wire.send(sample(sent++));
    }
    Arrived arrived = wire.arrived();
    long elapsedNs = System.nanoTime() - start;
    check(arrived.equals(new Arrived(sent, true)), arrived);
    return sent * 1e9 / elapsedNs;
  }

  private static Sample sample(long number) {
    return new Sample(ByteBuffer.allocate(SAMPLE_BYTES).putLong(0, number).array());
  }

  static long numberOf(Sample sample) {
    return ByteBuffer.wrap(sample.bytes()).getLong(0);
  }

  private static void check(boolean holds, Record came) {
    if (!holds) {
      throw new DemoException("something was lost, repeated or changed: " + came);
    }
  }
}
