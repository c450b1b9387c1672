// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.express;

import io.verbena.mpi.device.Context;
import io.verbena.mpi.device.Device;
import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.ReceiveRequest;
import io.verbena.mpi.device.Request;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The requests that were begun and not waited for. MPJ Express asks the device for one of all that
 * is done, whichever thread has begun it, also while the asking thread waits: so that one waits for
 * a bell, too, which rings when there is another request. The bell is a receive that only ever ends
 * by being cancelled.
 */
final class Pending {

  private final Device device;
  private final Context bells;
  private final Set<ExpressRequest> requests = new LinkedHashSet<>(); // guarded by this
  private ReceiveRequest bell; // guarded by this; null while nobody waits for it

  Pending(Device device) {
    this.device = device;
    this.bells = Context.ofAll(-1, device.size()); // MPJ Express counts its contexts upwards
  }

  synchronized ExpressRequest add(ExpressRequest request) {
    requests.add(request);
    if (bell != null) {
      boolean unused = device.cancel(bell);
    }
    return request;
  }

  synchronized void remove(ExpressRequest request) {
    requests.remove(request);
  }

  void await(Request request) {
    Waiting.on(
        () -> {
          device.await(request);
          return request;
        });
  }

  boolean test(Request request) {
    return Waiting.on(() -> device.test(request));
  }

  boolean cancel(Request request) {
    return request instanceof ReceiveRequest receive && device.cancel(receive);
  }

  /** Waits for any request, and forgets it. Called by one thread at a time. */
  ExpressRequest peek() throws InterruptedException {
    while (true) {
      ReceiveRequest ring = listen();
      List<ExpressRequest> known = all();
      List<Request> waits = new ArrayList<>(known.stream().map(ExpressRequest::request).toList());
      waits.add(ring);
      int done = device.awaitAny(waits);
      if (done < known.size()) {
        remove(known.get(done));
        return known.get(done);
      }
    }
  }

  private synchronized ReceiveRequest listen() {
    if (bell == null || bell.isDone()) {
      bell = device.irecv(bells, device.rank(), 0, Layout.empty());
    }
    return bell;
  }

  private synchronized List<ExpressRequest> all() {
    return List.copyOf(requests);
  }
}
