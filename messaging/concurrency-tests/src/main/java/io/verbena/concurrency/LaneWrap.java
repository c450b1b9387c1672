// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A reader runs on while headers are not zero, without asking how far the writer is: what lies
 * after the last frame must be zero, also where the frames of the former lap lay.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "in order while both ran, and to the end")
@Outcome(expect = FORBIDDEN, desc = "the reader took old bytes for a frame, or missed one")
@State
public class LaneWrap {
  private static final int FRAMES = 24;
  private static final int TRIES = 20_000;

  private final SmallLane lane = new SmallLane();
  private int written;

  @Actor
  public void writer() {
    for (int tries = 0; written < FRAMES && tries < TRIES; tries++) {
      // Sizes that end at other places in each lap.
      if (lane.write(8 + 8 * (written * 37 % 120))) {
        written++;
      } else {
        Thread.onSpinWait();
      }
    }
  }

  @Actor
  public void reader(II_Result result) {
    int seen = 0;
    for (int tries = 0; seen >= 0 && seen < FRAMES && tries < TRIES; tries++) {
      seen = lane.drain();
    }
    result.r1 = seen == SmallLane.WRONG ? 0 : 1;
  }

  @Arbiter
  public void rest(II_Result result) {
    int seen = 0;
    for (int rounds = 0; rounds < 64; rounds++) {
      seen = lane.drain(); // an eighth of the ring at a time
    }
    result.r2 = seen == written ? 1 : 0;
  }
}
