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
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The bias is granted after every second turn and taken away by the other thread at once: whoever
 * is in the lock, by bias or by turn, is in it alone and sees what was done there before.
 */
@JCStressTest
@Outcome(id = "16", expect = ACCEPTABLE, desc = "one at a time")
@Outcome(expect = FORBIDDEN, desc = "two threads were in the lock at once")
@State
public class BiasedLock {
  private final SpinLock lock = new SpinLock(1);
  private int count;

  @Actor
  public void first() {
    countEight();
  }

  @Actor
  public void second() {
    countEight();
  }

  private void countEight() {
    for (int i = 0; i < 8; i++) {
      lock.lock();
      count++;
      lock.unlock();
    }
  }

  @Arbiter
  public void all(I_Result result) {
    result.r1 = count;
  }
}
