// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A transport that copies takes everything below the published end without looking at headers. */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "all below the end was there")
@Outcome(expect = FORBIDDEN, desc = "the end was ahead of what is published")
@State
public class LaneHint {
  private final SmallLane lane = new SmallLane();

  @Actor
  public void writer() {
    for (int i = 0; i < 8; i++) {
      lane.write(200); // crosses several chunks: the hint moves
    }
  }

  @Actor
  public void copier(I_Result result) {
    long end = lane.memory.publishedEnd(0, Long.MAX_VALUE / 2);
    long at = 0;
    while (at < end) {
      long length = lane.memory.header(at) & 0xFFFF_FFFFL;
      if (length == 0) {
        break;
      }
      at += (length + 7) & ~7L;
    }
    result.r1 = at == end ? 1 : 0;
  }
}
