// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbena.internal.connection.PendingRequest;
import io.verbena.internal.connection.RequestTable;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A request that waits is found by a walk, also while another one passes over its slot. */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "the walk finds the request that waits")
@Outcome(expect = FORBIDDEN, desc = "the walk ends before the request that waits")
@State
public class RequestFound {
  private final RequestTable table = new RequestTable(2);
  private final PendingRequest<Requests.Answer> waiting = Requests.open(table);

  public RequestFound() {
    table.remove(Requests.open(table)); // the next id belongs to the slot of the one that waits
  }

  @Actor
  public void open() {
    Requests.open(table);
  }

  @Actor
  public void lose(Z_Result result) {
    List<PendingRequest<?>> lost = new ArrayList<>(1);
    table.takeIf(request -> request == waiting, lost::add);
    result.r1 = !lost.isEmpty();
  }
}
