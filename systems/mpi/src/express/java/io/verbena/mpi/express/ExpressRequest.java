// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.express;

import io.verbena.mpi.device.Request;
import java.util.function.Supplier;
import mpjdev.Status;

/** A request of ours as one of MPJ Express'. */
final class ExpressRequest extends mpjdev.Request {

  private final Pending pending;
  private final Request request;
  private final Supplier<Status> result;
  private Status status; // guarded by this; null until it was handed out

  /**
   * @param result makes the status of the request when it is done
   */
  ExpressRequest(Pending pending, Request request, Supplier<Status> result) {
    this.pending = pending;
    this.request = request;
    this.result = result;
  }

  Request request() {
    return request;
  }

  /** Waits; the first call that returns has run the handlers, which unpack the message. */
  @Override
  public synchronized Status iwait() {
    if (status == null) {
      pending.await(request);
      pending.remove(this);
      Status made = result.get();
      complete(made);
      status = made;
    }
    return status;
  }

  /** Null if it is not done, or was waited for before: who asks goes on to wait for it. */
  @Override
  public synchronized Status itest() {
    return status == null && pending.test(request) ? result.get() : null;
  }

  @Override
  public boolean cancel() {
    return pending.cancel(request);
  }

  @Override
  public void free() {}

  @Override
  public boolean isnull() {
    return false;
  }
}
