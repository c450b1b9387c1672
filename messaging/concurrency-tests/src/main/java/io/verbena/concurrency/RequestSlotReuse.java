// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbena.internal.connection.PendingRequest;
import io.verbena.internal.connection.RequestTable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A late reply never meets the request that has its slot now: ids are 64 bits and compared. */
@JCStressTest
@Outcome(id = "forgotten, nothing", expect = ACCEPTABLE, desc = "late: dropped")
@Outcome(id = "answered, former", expect = ACCEPTABLE, desc = "in time: its own request")
@Outcome(expect = FORBIDDEN, desc = "another request got the reply, or two outcomes")
@State
public class RequestSlotReuse {
  private final RequestTable table = new RequestTable(1); // one slot: every request reuses it
  private final PendingRequest<Requests.Answer> former = Requests.open(table);
  private final long formerId = former.id();

  @Actor
  public void forgetAndAskAgain(LL_Result result) {
    result.r1 = "answered";
    if (table.remove(former)) {
      result.r1 = "forgotten";
    }
    Requests.open(table);
  }

  @Actor
  public void lateReply(LL_Result result) {
    PendingRequest<?> taken = Requests.take(table, formerId);
    result.r2 = taken == null ? "nothing" : taken == former ? "former" : "another";
  }
}
