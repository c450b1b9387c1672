// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.channel;

import io.verbena.bench.compare.Outcome;
import io.verbena.bench.compare.Pairing;
import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.figure.Figure;
import io.verbena.bench.figure.Reach;
import io.verbena.bench.figure.Row;
import io.verbena.bench.figure.Unit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What channels in shared memory, and over TCP, are to come to. */
final class ChannelReach {

  private static final String SHARED = "shared memory";
  private static final String OVER_TCP = "softnic over TCP";
  private static final String ZEROMQ = "zmq-tcp";
  private static final String OPEN_MPI = "mpi-";

  /** At every size below this the paper's channel was ten times as fast as ZeroMQ, or more. */
  private static final int ZEROMQ_BELOW_BYTES = 25_000;

  private static final double AHEAD_OF_ZEROMQ = 5;

  private ChannelReach() {}

  /** Of a figure beside bare memory or a raw socket; null for nothing. */
  static @Nullable Reach besideBare(Figure figure) {
    if (figure.way().equals(OVER_TCP)) {
      return new Reach(Reach.Of.RATIO, Reach.Side.LEAST, 0.6);
    }
    if (!figure.way().equals(SHARED)) {
      return null;
    }
    return figure.unit() == Unit.NANOSECONDS
        ? new Reach(Reach.Of.RATIO, Reach.Side.MOST, 1.7)
        : new Reach(Reach.Of.RATIO, Reach.Side.LEAST, 0.8);
  }

  /** Channels beside each of those that they are to be ahead of, contest by contest. */
  static List<Row> ofPeers(Outcome outcome) {
    return outcome.pairings().stream()
        .filter(line -> aheadOf(line) > 0)
        .map(ChannelReach::besidePeer)
        .toList();
  }

  /** How many times as fast as this one; 0 for one that nothing is said about. */
  private static double aheadOf(Pairing line) {
    if (line.contestant().startsWith(OPEN_MPI)) {
      return 1;
    }
    boolean isMeant = line.contest().sizeBytes() < ZEROMQ_BELOW_BYTES;
    return line.contestant().equals(ZEROMQ) && isMeant ? AHEAD_OF_ZEROMQ : 0;
  }

  private static Row besidePeer(Pairing line) {
    boolean hasReplies = line.contest().hasReplies();
    Figure figure =
        new Figure(
            hasReplies ? "round trip, p50" : "one way",
            line.contest().sizeBytes(),
            SHARED,
            hasReplies ? Unit.NANOSECONDS : Unit.PER_SECOND,
            figures(line.baselineSamples()),
            new Figure.Partner(line.contestant(), figures(line.samples())));
    double ahead = aheadOf(line);
    Reach reach =
        hasReplies
            ? new Reach(Reach.Of.RATIO, Reach.Side.MOST, 1 / ahead)
            : new Reach(Reach.Of.RATIO, Reach.Side.LEAST, ahead);
    return new Row(figure, reach);
  }

  private static List<Double> figures(List<Sample> samples) {
    return samples.stream().map(Sample::figure).toList();
  }
}
