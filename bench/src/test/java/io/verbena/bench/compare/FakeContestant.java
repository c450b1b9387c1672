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
 * @param rates of its rounds, the last of them for ever
 * @param connecting what became of its first message
 * @param log is told its name at each round
 */
record FakeContestant(String name, List<Double> rates, Tally connecting, List<String> log)
    implements Contestant {

  FakeContestant(String name, double... rates) {
    this(name, java.util.Arrays.stream(rates).boxed().toList(), Tally.NONE, new ArrayList<>());
  }

  @Override
  public Wire wire() {
    return Wire.SHM;
  }

  @Override
  public boolean takesPartIn(Workload workload) {
    return true;
  }

  /** Without rates it does not start. */
  @Override
  public RunningContestant start(Contest contest) {
    if (rates.isEmpty()) {
      throw new BenchException(name + " does not start");
    }
    return new Running();
  }

  private final class Running implements RunningContestant {
    private int rounds;

    @Override
    public Description description() {
      return new Description(name + " 1", "none", true, true);
    }

    @Override
    public Tally connecting() {
      return connecting;
    }

    @Override
    public Sample round(long durationNs) {
      log.add(name);
      return Outcomes.rate(rates.get(Math.min(rounds++, rates.size() - 1)));
    }

    @Override
    public void close() {}
  }
}
