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

/**
 * Two of reply, timeout and cancel at once: one of them is the outcome, and the table is empty. In
 * pairs, so that two cores are enough.
 */
public class RequestOutcome {
  private final RequestTable table = new RequestTable(64);
  private final PendingRequest<Requests.Answer> request = Requests.open(table);
  private final long id = request.id();
  private int replies;
  private int timeouts;

  void replyNow() {
    PendingRequest<?> taken = Requests.take(table, id);
    if (taken != null) {
      replies++;
      request.complete(new Requests.Answer(1));
    }
  }

  void timeoutNow() {
    if (table.remove(request)) {
      timeouts++;
      request.completeExceptionally(new RequestTimeoutException("late"));
    }
  }

  void cancelNow() {
    request.cancel(false);
  }

  void report(IIL_Result result) {
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

  /** The answer comes when the time is over. */
  @JCStressTest
  @Outcome(id = "1, 0, reply", expect = ACCEPTABLE, desc = "the reply was first")
  @Outcome(id = "1, 0, timeout", expect = ACCEPTABLE, desc = "the timeout was first")
  @Outcome(expect = FORBIDDEN, desc = "none or two outcomes, or an entry left behind")
  @State
  public static class ReplyAndTimeout extends RequestOutcome {
    @Actor
    public void reply() {
      replyNow();
    }

    @Actor
    public void timeout() {
      timeoutNow();
    }

    @Arbiter
    public void outcome(IIL_Result result) {
      report(result);
    }
  }

  /** The answer comes when nobody wants it any more. */
  @JCStressTest
  @Outcome(id = "1, 0, reply", expect = ACCEPTABLE, desc = "the reply was first")
  @Outcome(
      id = "[01], 0, cancel",
      expect = ACCEPTABLE,
      desc = "the cancel was first, in the table or between the taking and the completing")
  @Outcome(expect = FORBIDDEN, desc = "none or two outcomes, or an entry left behind")
  @State
  public static class ReplyAndCancel extends RequestOutcome {
    @Actor
    public void reply() {
      replyNow();
    }

    @Actor
    public void cancel() {
      cancelNow();
    }

    @Arbiter
    public void outcome(IIL_Result result) {
      report(result);
    }
  }

  /** The time is over when nobody waits any more. */
  @JCStressTest
  @Outcome(id = "1, 0, timeout", expect = ACCEPTABLE, desc = "the timeout was first")
  @Outcome(
      id = "[01], 0, cancel",
      expect = ACCEPTABLE,
      desc = "the cancel was first, in the table or between the removing and the completing")
  @Outcome(expect = FORBIDDEN, desc = "none or two outcomes, or an entry left behind")
  @State
  public static class TimeoutAndCancel extends RequestOutcome {
    @Actor
    public void timeout() {
      timeoutNow();
    }

    @Actor
    public void cancel() {
      cancelNow();
    }

    @Arbiter
    public void outcome(IIL_Result result) {
      report(result);
    }
  }
}
