// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A persistent request: the same send or receive, as often as it is started. */
public class Prequest extends Request {

  private volatile @Nullable Supplier<Pending> call; // null once it is freed

  Prequest(Supplier<Pending> call) {
    super(null);
    this.call = call;
  }

  /** Begins the send or receive once more. */
  public void Start() {
    Supplier<Pending> its = MPIException.given(call, "the request was freed");
    MPIException.check(!isActive(), "the request is active: wait for its end before");
    begin(its.get());
  }

  /** Starts all of them. */
  public static void Startall(Prequest[] requests) {
    MPIException.check(requests != null, "array of requests is null");
    for (Prequest each : requests) {
      MPIException.check(each != null, "a request to start is null");
      each.Start();
    }
  }

  /** Whether it was freed; an inactive one is not null. */
  @Override
  public boolean Is_null() {
    return call == null && super.Is_null();
  }

  /** Ends its use; what was started goes on. */
  @Override
  public void Free() {
    call = null;
    super.Free();
  }
}
