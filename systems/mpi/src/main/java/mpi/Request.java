// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that was begun: a send or a receive (MPI 4.1, section 3.7). Once its end has been told,
 * by {@code Wait} or {@code Test} in any form, it is null, or inactive if it is persistent: then
 * these return at once with the empty status. In the calls for several a reference that is null
 * counts as a null request. A call that fails has ended the request.
 */
public class Request {

  private volatile @Nullable Pending pending; // null of null and of inactive ones

  Request(@Nullable Pending pending) {
    this.pending = pending;
  }

  final void begin(Pending next) {
    MPIException.check(pending == null, "the request is active: wait for its end before");
    pending = next;
  }

  final boolean isActive() {
    return pending != null;
  }

  /** Waits until it is done. */
  public Status Wait() {
    Pending active = pending;
    if (active == null) {
      return new Status();
    }
    try {
      active.await();
    } catch (InterruptedException e) {
      throw MPIException.of(e); // it goes on
    } catch (RuntimeException e) {
      // It is done, and says so once more.
    }
    return end(active);
  }

  /** Its status if it is done, else null. */
  public @Nullable Status Test() {
    Pending active = pending;
    if (active == null) {
      return new Status();
    }
    active.progress();
    return active.isDone() ? end(active) : null;
  }

  private Status end(Pending active) {
    pending = null;
    return active.status();
  }

  /**
   * Takes a receive back that has found no message yet; it is done then, and its status says so. A
   * send goes on: what has left cannot be taken back, as MPI allows. Wait for it in any case.
   */
  public void Cancel() {
    MPIException.given(pending, "the request is null or inactive").cancel();
  }

  /** Whether there is nothing to wait for any more. */
  public boolean Is_null() {
    return pending == null;
  }

  /**
   * Leaves it to itself: it goes on, and nobody is told of its end. A receive of objects puts none
   * into its buffer then.
   */
  public void Free() {
    pending = null;
  }

  /** Does nothing: there is nothing to free but by the garbage collector. */
  @Override
  @SuppressWarnings({"removal", "Finalize"}) // programs may call it
  public void finalize() {}

  // ---------------------------------------------------------------- several

  /** Waits for one of them; if all are null, the index of the status is {@code MPI.UNDEFINED}. */
  public static Status Waitany(@Nullable Request[] requests) {
    List<Integer> active = active(requests);
    if (active.isEmpty()) {
      return new Status();
    }
    awaitAny(requests, active);
    return firstDone(requests, active);
  }

  /** As {@link #Waitany}, without waiting: null if none is done. */
  public static @Nullable Status Testany(@Nullable Request[] requests) {
    List<Integer> active = active(requests);
    if (active.isEmpty()) {
      return new Status();
    }
    progress(requests, active);
    return isAnyDone(requests, active) ? firstDone(requests, active) : null;
  }

  /**
   * Waits for all.
   *
   * @return a status for each
   * @throws MPIException the first failure, if there is one, when all are done
   */
  public static Status[] Waitall(@Nullable Request[] requests) {
    awaitAll(requests, active(requests));
    Status[] all = new Status[requests.length];
    MPIException first = null;
    for (int i = 0; i < all.length; i++) {
      try {
        all[i] = (requests[i] == null ? new Status() : requests[i].Wait()).withIndex(i);
      } catch (MPIException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
    return all;
  }

  /** As {@link #Waitall}, without waiting: null, and nothing has changed, if not all are done. */
  public static Status @Nullable [] Testall(@Nullable Request[] requests) {
    List<Integer> active = active(requests);
    progress(requests, active);
    for (int i : active) {
      if (!isDone(requests[i])) {
        return null;
      }
    }
    return Waitall(requests);
  }

  /**
   * Waits for one and tells of all that are done.
   *
   * @return a status for each of these, with its index; null if all requests are null
   */
  public static Status @Nullable [] Waitsome(@Nullable Request[] requests) {
    List<Integer> active = active(requests);
    if (active.isEmpty()) {
      return null;
    }
    awaitAny(requests, active);
    return allDone(requests, active);
  }

  /**
   * As {@link #Waitsome}, without waiting: the array may be empty. It is, too, if all requests are
   * null: programs of MPJ Express count on that, where mpiJava has null.
   */
  public static Status[] Testsome(@Nullable Request[] requests) {
    List<Integer> active = active(requests);
    progress(requests, active);
    return allDone(requests, active);
  }

  private static List<Integer> active(@Nullable Request[] requests) {
    MPIException.check(requests != null, "array of requests is null");
    List<Integer> active = new ArrayList<>();
    for (int i = 0; i < requests.length; i++) {
      if (requests[i] != null && requests[i].isActive()) {
        active.add(i);
      }
    }
    return active;
  }

  private static boolean isDone(@Nullable Request request) {
    Pending its = request == null ? null : request.pending;
    return its != null && its.isDone();
  }

  private static boolean isAnyDone(@Nullable Request[] requests, List<Integer> active) {
    return active.stream().anyMatch(i -> isDone(requests[i]));
  }

  /** Looks once for all: what arrives may end any of them. */
  private static void progress(@Nullable Request[] requests, List<Integer> active) {
    for (int i : active) {
      Request request = requests[i];
      Pending its = request == null ? null : request.pending;
      if (its != null && !its.isDone()) {
        its.progress();
        return;
      }
    }
  }

  private static void awaitAny(@Nullable Request[] requests, List<Integer> active) {
    if (isAnyDone(requests, active)) {
      return;
    }
    List<io.verbena.mpi.device.Request> below = new ArrayList<>();
    for (int i : active) {
      Request request = requests[i];
      Pending its = request == null ? null : request.pending;
      if (its != null && its.request() != null) {
        below.add(its.request());
      }
    }
    try {
      int unused = MPI.device().awaitAny(below);
    } catch (InterruptedException e) {
      throw MPIException.of(e);
    }
  }

  /** An interrupt takes nothing from any of them. */
  private static void awaitAll(@Nullable Request[] requests, List<Integer> active) {
    for (int i : active) {
      Request request = requests[i];
      Pending its = request == null ? null : request.pending;
      try {
        if (its != null) {
          its.await();
        }
      } catch (InterruptedException e) {
        throw MPIException.of(e);
      } catch (RuntimeException e) {
        // It is done, and says so once more.
      }
    }
  }

  private static Status firstDone(@Nullable Request[] requests, List<Integer> active) {
    for (int i : active) {
      Request request = requests[i];
      if (request != null && isDone(request)) {
        return request.Wait().withIndex(i);
      }
    }
    throw new IllegalStateException("none of the requests is done");
  }

  /** One that has failed keeps none of the others from being told: it is, by the next call. */
  private static Status[] allDone(@Nullable Request[] requests, List<Integer> active) {
    List<Status> done = new ArrayList<>();
    for (int i : active) {
      Request request = requests[i];
      if (request != null && isDone(request) && (done.isEmpty() || !hasFailed(request))) {
        done.add(request.Wait().withIndex(i));
      }
    }
    return done.toArray(Status[]::new);
  }

  private static boolean hasFailed(Request request) {
    Pending its = request.pending;
    return its != null && its.request() != null && its.request().failure() != null;
  }
}
