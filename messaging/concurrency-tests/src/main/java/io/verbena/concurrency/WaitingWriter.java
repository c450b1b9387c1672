// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbena.transport.LaneMemory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A writer that sleeps until more is consumed is woken, or has seen before that more is. */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "seen: it does not sleep")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "not seen: it is woken")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "woken for nothing")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "it sleeps and nobody wakes it")
@State
public class WaitingWriter {
  private final LaneMemory memory = new SmallLane().memory;

  @Actor
  public void writer(ZZ_Result result) {
    memory.announceWaiting();
    result.r1 = memory.consumed() != 0;
  }

  @Actor
  public void reader(ZZ_Result result) {
    memory.consumed(8);
    result.r2 = memory.takeWaiting();
  }
}
