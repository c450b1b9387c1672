// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.BenchException;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.verify.Tally;
import java.util.ArrayList;
import java.util.List;

/**
 * A contestant without processes, whose rounds give what a test wants.
 *
 * @param name of it
 * @param samples of its rounds, the last of them for ever; without it does not start, and fails in
 *     a round with a negative rate
 * @param connecting what became of its first message
 * @param isCompiledLate whether agreement says nothing at first
 * @param log is told its name at each round
 */
record FakeContestant(
    String name, List<Sample> samples, Tally connecting, boolean isCompiledLate, List<String> log)
    implements Contestant {

  FakeContestant(String name, double... rates) {
    this(name, java.util.Arrays.stream(rates).boxed().toList(), Tally.NONE, new ArrayList<>());
  }

  FakeContestant(String name, List<Double> rates, Tally connecting, List<String> log) {
    this(name, rates.stream().map(Outcomes::rate).toList(), connecting, false, log);
  }

  FakeContestant(String name, List<Sample> samples) {
    this(name, samples, Tally.NONE, false, new ArrayList<>());
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
    if (samples.isEmpty()) {
      throw new BenchException(name + " does not start");
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
