// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbena.internal.lane.SpinLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Writers under the spin lock come one after the other, each seeing all of the one before. */
@JCStressTest
@Outcome(id = "6, 6", expect = ACCEPTABLE, desc = "all frames, each whole and in its place")
@Outcome(expect = FORBIDDEN, desc = "two writers were in the lane at once")
@State
public class SharedLane {
  private final SmallLane lane = new SmallLane();
  private final SpinLock lock = new SpinLock();
  private int writes;

  @Actor
  public void first() {
    writeThree();
  }

  @Actor
  public void second() {
    writeThree();
  }

  private void writeThree() {
    for (int i = 0; i < 3; i++) {
      lock.lock();
      lane.write(48);
      writes++;
      lock.unlock();
    }
  }

  @Arbiter
  public void all(II_Result result) {
    result.r1 = writes;
    result.r2 = lane.drain();
  }
}
