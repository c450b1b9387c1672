// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.Communicator;
import io.verbena.mpi.device.Device;
import io.verbena.mpi.device.ReceiveRequest;
import io.verbena.mpi.device.Request;
import io.verbena.mpi.device.SendRequest;
import org.jspecify.annotations.Nullable;

/** What a request is about while it goes on, and how it ends. */
final class Pending {

  private final Communicator communicator;
  private final @Nullable Request request; // null if there is nothing to wait for
  private final Datatype type;
  private final @Nullable ObjectSink objects;
  private final Status otherwise; // of what is no receive

  private Pending(
      Communicator communicator,
      @Nullable Request request,
      Datatype type,
      @Nullable ObjectSink objects,
      Status otherwise) {
    this.communicator = communicator;
    this.request = request;
    this.type = type;
    this.objects = objects;
    this.otherwise = otherwise;
  }

  static Pending of(Communicator communicator, SendRequest send) {
    return new Pending(communicator, send, MPI.BYTE, null, new Status());
  }

  static Pending of(
      Communicator communicator,
      ReceiveRequest receive,
      Datatype type,
      @Nullable ObjectSink objects) {
    return new Pending(communicator, receive, type, objects, new Status());
  }

  /** To or from nobody, or a send that is over already. */
  static Pending done(Communicator communicator, Status status) {
    return new Pending(communicator, null, MPI.BYTE, null, status);
  }

  @Nullable Request request() {
    return request;
  }

  boolean isDone() {
    return request == null || request.isDone();
  }

  /** Receives what is there, without waiting. */
  void progress() {
    if (request != null && !request.isDone()) {
      Device device = MPI.device();
      try {
        // What it has ended with is looked at when somebody takes its status.
        boolean unused = device.test(request);
      } catch (InterruptedException e) {
        throw MPIException.of(e);
      } catch (RuntimeException e) {
        // It is done.
      }
    }
  }

  void await() throws InterruptedException {
    if (request != null) {
      if (!request.isDone()) {
        Device unused = MPI.device(); // after the end nothing comes any more, which it says
      }
      communicator.await(request);
    }
  }

  void cancel() {
    if (request instanceof ReceiveRequest receive) {
      boolean unused = communicator.cancel(receive);
    }
  }

  /** What came of it, once it is done. */
  Status status() {
    try {
      await();
    } catch (InterruptedException | RuntimeException e) {
      throw MPIException.of(e);
    }
    if (!(request instanceof ReceiveRequest receive)) {
      return otherwise;
    }
    return receive.isCancelled() ? Status.ofCancelled() : received(receive.status(), type, objects);
  }

  /** What came of a receive; its objects are in the buffer then. */
  static Status received(
      io.verbena.mpi.device.Status message, Datatype type, @Nullable ObjectSink objects) {
    if (objects != null) {
      objects.unpack();
    } else if (message.note() != null) {
      throw new MPIException(
          "the message of rank %d with tag %d holds objects: receive it with MPI.OBJECT"
              .formatted(message.source(), message.tag()));
    }
    return Status.of(message, type);
  }
}
