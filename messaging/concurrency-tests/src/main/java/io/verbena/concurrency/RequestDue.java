// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbena.internal.connection.RequestTable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A request opened while the clock looks for what is due next is not slept over. */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "the clock looks again when it is due")
@Outcome(expect = FORBIDDEN, desc = "the clock sleeps although a request is due")
@State
public class RequestDue {
  private static final long HOUR_NS = 3_600_000_000_000L;

  private final RequestTable table = new RequestTable(64);

  @Actor
  public void open() {
    Requests.open(table); // due at once
  }

  @Actor
  public void look() {
    long nowNs = System.nanoTime() - HOUR_NS; // nothing is due yet
    table.timeOutDue(nowNs, nowNs + 3 * HOUR_NS);
  }

  @Arbiter
  public void due(Z_Result result) {
    result.r1 = table.nextDueNs() - System.nanoTime() <= 0;
  }
}
