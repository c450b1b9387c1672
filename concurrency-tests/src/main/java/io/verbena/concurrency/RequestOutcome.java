// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbena.RequestTimeoutException;
import io.verbena.internal.connection.PendingRequest;
import io.verbena.internal.connection.RequestTable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIL_Result;

/** Reply, timeout and cancel at once: one of them is the outcome, and the table is empty. */
@JCStressTest
@Outcome(id = "1, 0, reply", expect = ACCEPTABLE, desc = "the reply was first")
@Outcome(id = "1, 0, timeout", expect = ACCEPTABLE, desc = "the timeout was first")
@Outcome(
    id = "[01], 0, cancel",
    expect = ACCEPTABLE,
    desc = "the cancel was first, in the table or" + " between the taking and the completing")
@Outcome(expect = FORBIDDEN, desc = "none or two outcomes, or an entry left behind")
@State
public class RequestOutcome {
  private final RequestTable table = new RequestTable(64);
  private final PendingRequest<Requests.Answer> request = Requests.open(table);
  private final long id = request.id();
  private int replies;
  private int timeouts;

  @Actor
  public void reply() {
    PendingRequest<?> taken = Requests.take(table, id);
    if (taken != null) {
      replies++;
      request.complete(new Requests.Answer(1));
    }
  }

  @Actor
  public void timeout() {
    if (table.remove(request)) {
      timeouts++;
      request.completeExceptionally(new RequestTimeoutException("late"));
    }
  }

  @Actor
  public void cancel() {
    request.cancel(false);
  }

  @Arbiter
  public void outcome(IIL_Result result) {
    result.r1 = replies + timeouts;
    result.r2 = table.size();
    result.r3 =
        switch (request.state()) {
          case SUCCESS -> "reply";
          case FAILED -> "timeout";
          case CANCELLED -> "cancel";
          case RUNNING -> "none";
        };
  }
}
