// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.compare.contest.Contest;
import io.verbena.bench.compare.contest.Contestant;
import io.verbena.bench.compare.contest.RunningContestant;
import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.compare.contest.Wire;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.verify.Tally;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A contestant without processes, whose rounds give what a test wants.
 *
 * @param name of it
 * @param samples of its rounds, the last of them for ever; it fails in a round with a negative rate
 * @param connecting what became of its first message
 * @param isCompiledLate whether agreement says nothing at first
 * @param log is told its name at each round
 * @param startFailure is thrown when it is to start; null if it starts
 */
public record FakeContestant(
    String name,
    List<Sample> samples,
    Tally connecting,
    boolean isCompiledLate,
    List<String> log,
    @Nullable RuntimeException startFailure)
    implements Contestant {

  public FakeContestant(String name, double... rates) {
    this(name, java.util.Arrays.stream(rates).boxed().toList(), Tally.NONE, new ArrayList<>());
  }

  public FakeContestant(String name, List<Double> rates, Tally connecting, List<String> log) {
    this(name, rates.stream().map(Outcomes::rate).toList(), connecting, false, log, null);
  }

  public FakeContestant(String name, List<Sample> samples) {
    this(name, samples, Tally.NONE, false, new ArrayList<>(), null);
  }

  /** One that does not start. */
  public FakeContestant(String name, RuntimeException startFailure) {
    this(name, List.of(), Tally.NONE, false, new ArrayList<>(), startFailure);
  }

  @Override
  public Wire wire() {
    return Wire.SHM;
  }

  @Override
  public boolean takesPartIn(Workload workload) {
    return true;
  }

  @Override
  public RunningContestant start(Contest contest) {
    if (startFailure != null) {
      throw startFailure;
    }
    return new Running();
  }

  private final class Running implements RunningContestant {
    private int rounds;

    @Override
    public Description description() {
      return new Description(name + " 1", "none", true, !isCompiledLate);
    }

    @Override
    public Tally connecting() {
      return connecting;
    }

    @Override
    public Sample round(long durationNs) {
      log.add(name);
      Sample sample = samples.get(Math.min(rounds++, samples.size() - 1));
      if (sample.figure() < 0) {
        throw new BenchException(name + " ended");
      }
      return sample;
    }

    @Override
    public void close() {}
  }
}
