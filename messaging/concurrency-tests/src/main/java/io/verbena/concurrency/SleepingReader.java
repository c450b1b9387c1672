// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbena.transport.AsymmetricFence;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A reader that goes to sleep finds what was published before, or the writer sees that it sleeps;
 * the writer pays no fence for that.
 */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "found: it does not sleep")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "not found: it is woken")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "woken for nothing")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "it sleeps and nobody wakes it")
@State
public class SleepingReader {
  private final SmallLane lane = new SmallLane();
  private volatile boolean asleep;

  @Actor
  public void reader(ZZ_Result result) {
    asleep = true;
    AsymmetricFence.heavy();
    result.r1 = lane.drain() == 1;
  }

  @Actor
  public void writer(ZZ_Result result) {
    lane.write(16);
    AsymmetricFence.light();
    result.r2 = asleep;
  }
}
