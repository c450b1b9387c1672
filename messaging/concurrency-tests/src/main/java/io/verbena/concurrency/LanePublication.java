// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A header is the last thing written: who sees it sees the whole frame. */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "the reader came first")
@Outcome(id = "1", expect = ACCEPTABLE, desc = "one whole frame")
@Outcome(id = "2", expect = ACCEPTABLE, desc = "two whole frames")
@Outcome(expect = FORBIDDEN, desc = "a frame was seen that was not there as a whole")
@State
public class LanePublication {
  private final SmallLane lane = new SmallLane();

  @Actor
  public void writer() {
    lane.write(64);
    lane.write(40);
  }

  @Actor
  public void reader(I_Result result) {
    result.r1 = lane.drain();
  }
}
