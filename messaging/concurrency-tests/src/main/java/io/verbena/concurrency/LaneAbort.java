// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A claim that is given up is never seen, and nothing of it shows behind the next frame. */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "the reader came first")
@Outcome(id = "1", expect = ACCEPTABLE, desc = "the frame before the one given up")
@Outcome(id = "2", expect = ACCEPTABLE, desc = "and the one after it")
@Outcome(expect = FORBIDDEN, desc = "bytes of the claim that was given up were seen")
@State
public class LaneAbort {
  private final SmallLane lane = new SmallLane();

  @Actor
  public void writer() {
    lane.write(24);
    lane.writeAndAbort(256);
    lane.write(32);
  }

  @Actor
  public void reader(I_Result result) {
    lane.drain();
    result.r1 = lane.drain();
  }
}
