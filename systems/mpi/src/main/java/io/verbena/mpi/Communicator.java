// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import io.verbena.mpi.device.Context;
import io.verbena.mpi.device.Device;
import io.verbena.mpi.device.DeviceException;
import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.Message;
import io.verbena.mpi.device.Note;
import io.verbena.mpi.device.RankLostException;
import io.verbena.mpi.device.ReceiveRequest;
import io.verbena.mpi.device.Request;
import io.verbena.mpi.device.SendRequest;
import io.verbena.mpi.device.Status;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A group of processes that talk among themselves, or two groups that talk with each other; what is
 * said in one communicator is not heard in others. Modes, order and matching are those of MPI 4.1,
 * chapter 3.
 *
 * <p><b>Memory.</b> What is sent and received is a {@link Layout}; {@link Data} makes those of
 * arrays and segments. It belongs to the call until that returns, or to the request until this is
 * done.
 *
 * <p><b>Errors.</b> A call that fails throws a {@link DeviceException}, or ends the job before:
 * {@link #errors}. A wrong argument is an {@link IllegalArgumentException} at any time, and a
 * communicator that was freed an {@link IllegalStateException}.
 *
 * <p>Any thread may call anything at any time.
 */
public abstract sealed class Communicator permits Intracommunicator, Intercommunicator {

  /** A receive takes messages from any member. */
  public static final int ANY_SOURCE = Device.ANY_SOURCE;

  /** A receive takes messages with any tag. */
  public static final int ANY_TAG = Device.ANY_TAG;

  /** Nobody: the neighbour where a grid ends. All calls are done at once then. */
  public static final int PROC_NULL = Device.PROC_NULL;

  final World world;
  final Device device;
  final int id;
  final Group group;

  private final Context context;
  private final int rank;
  private final Attributes attributes = new Attributes(this);
  private volatile ErrorMode errors = ErrorMode.ERRORS_ARE_FATAL;
  private volatile boolean isFree;

  /**
   * @param group this process' own
   * @param others whom it talks with
   */
  Communicator(World world, int id, Group group, Group others) {
    this.world = world;
    this.device = world.device();
    this.id = id;
    this.group = group;
    this.rank = group.rankOf(world.rank());
    this.context = Context.of(id, others.processes());
  }

  // ---------------------------------------------------------------- who

  /** Where it belongs to. */
  public final World world() {
    return world;
  }

  /** This process' rank in its group. */
  public final int rank() {
    return rank;
  }

  /** How many members this process' group has. */
  public final int size() {
    return group.size();
  }

  /** This process' group. */
  public final Group group() {
    return group;
  }

  /** Where its messages between two members travel. */
  public final Context context() {
    if (isFree) {
      throw new IllegalStateException(this + " was freed");
    }
    return context;
  }

  // ---------------------------------------------------------------- errors

  /** What becomes of the program when a call fails. */
  public final ErrorMode errors() {
    return errors;
  }

  /** Chooses it, for this process. A communicator that is made from another one has that one's. */
  public final void setErrors(ErrorMode mode) {
    errors = mode;
  }

  /** Ends the job if failures do; returns what is thrown else. */
  final <E extends RuntimeException> E failed(E why) {
    if (errors == ErrorMode.ERRORS_ARE_FATAL) {
      String all = "rank %d ends the job, %s: %s".formatted(world.rank(), this, why.getMessage());
      if (why instanceof RankLostException) {
        Ending.after(all, 1);
      } else {
        Ending.now(all, 1);
      }
    }
    return why;
  }

  // ---------------------------------------------------------------- sends

  /**
   * Sends a message and waits until its memory may be used again.
   *
   * @param to a rank; of an intercommunicator in the other group
   */
  public final void send(Layout from, int to, int tag) throws InterruptedException {
    await(isend(from, to, tag));
  }

  /** Sends a message and waits for its receive. */
  public final void ssend(Layout from, int to, int tag) throws InterruptedException {
    await(issend(from, to, tag));
  }

  /**
   * Sends a message from the buffer that is {@linkplain World#attachBuffer attached}: it is copied,
   * and the call does not wait.
   *
   * @throws BufferFullException if there is no room in it
   */
  public final void bsend(Layout from, int to, int tag) {
    bsend(from, to, tag, null);
  }

  /** As the other one, with a note beside the message. */
  public final void bsend(Layout from, int to, int tag, @Nullable Note note) {
    if (to == PROC_NULL) {
      return;
    }
    try {
      world.buffer().send(from, copy -> isend(copy, to, tag, false, note)).check();
    } catch (DeviceException | BufferFullException e) {
      throw failed(e);
    }
  }

  /** Begins to send a message. */
  public final SendRequest isend(Layout from, int to, int tag) {
    return isend(from, to, tag, false, null);
  }

  /** Begins to send a message; done once the receive is there. */
  public final SendRequest issend(Layout from, int to, int tag) {
    return isend(from, to, tag, true, null);
  }

  /**
   * Begins to send a message with a note beside it.
   *
   * @param isSynchronous whether it is done once the receive is there, not before
   */
  public final SendRequest isend(
      Layout from, int to, int tag, boolean isSynchronous, @Nullable Note note) {
    return device.send(context(), to, tag, from, isSynchronous, note);
  }

  // ---------------------------------------------------------------- receives

  /**
   * Receives a message.
   *
   * @param from a rank, or {@link #ANY_SOURCE}; of an intercommunicator in the other group
   * @param tag the message's, or {@link #ANY_TAG}
   * @throws io.verbena.mpi.device.TruncatedException if it is longer than there is room for
   */
  public final Status recv(Layout into, int from, int tag) throws InterruptedException {
    ReceiveRequest receive = irecv(into, from, tag);
    await(receive);
    return receive.status();
  }

  /** Begins to receive a message. */
  public final ReceiveRequest irecv(Layout into, int from, int tag) {
    return device.irecv(context(), from, tag, into);
  }

  /**
   * Begins to receive a message that a matching probe has taken.
   *
   * @throws IllegalStateException if it was received before
   */
  public final ReceiveRequest irecv(Layout into, Message message) {
    return device.irecv(message, into);
  }

  /** Sends a message and receives one, in whatever order the others do so. */
  public final Status sendrecv(
      Layout from, int to, int sendTag, Layout into, int source, int receiveTag)
      throws InterruptedException {
    SendRequest send = isend(from, to, sendTag);
    Status received;
    try {
      received = recv(into, source, receiveTag);
    } catch (DeviceException e) {
      awaitEnd(send); // else its memory would be the program's too early
      throw e;
    }
    await(send);
    return received;
  }

  private void awaitEnd(SendRequest send) throws InterruptedException {
    try {
      device.await(send);
    } catch (DeviceException e) {
      // the program is told of the other failure
    }
  }

  // ---------------------------------------------------------------- probes

  /** Looks for a message that a receive with this envelope would get; it stays. */
  public final Optional<Status> iprobe(int from, int tag) throws InterruptedException {
    try {
      return device.iprobe(context(), from, tag);
    } catch (DeviceException e) {
      throw failed(e);
    }
  }

  /** As {@link #iprobe}; waits for one. */
  public final Status probe(int from, int tag) throws InterruptedException {
    try {
      return device.probe(context(), from, tag);
    } catch (DeviceException e) {
      throw failed(e);
    }
  }

  /** As {@link #iprobe}, but takes the message: nobody else gets it. */
  public final Optional<Message> improbe(int from, int tag) throws InterruptedException {
    try {
      return device.improbe(context(), from, tag);
    } catch (DeviceException e) {
      throw failed(e);
    }
  }

  /** As {@link #improbe}; waits for one. */
  public final Message mprobe(int from, int tag) throws InterruptedException {
    try {
      return device.mprobe(context(), from, tag);
    } catch (DeviceException e) {
      throw failed(e);
    }
  }

  // ---------------------------------------------------------------- futures

  /**
   * Sends a message. The future is done when its memory may be used again, or fails as the call
   * that waits does. What depends on it runs on a virtual thread of its own, or right here.
   */
  public final CompletableFuture<@Nullable Void> sendAsync(Layout from, int to, int tag) {
    return Futures.of(this, isend(from, to, tag), () -> null);
  }

  /**
   * Receives a message. As {@link #sendAsync}; cancelling the future takes the receive back, if it
   * has found no message yet.
   */
  public final CompletableFuture<Status> recvAsync(Layout into, int from, int tag) {
    ReceiveRequest receive = irecv(into, from, tag);
    CompletableFuture<Status> received = Futures.of(this, receive, receive::status);
    var unused =
        received.whenComplete(
            (status, why) -> {
              if (why instanceof CancellationException) {
                boolean isCancelled = device.cancel(receive);
              }
            });
    return received;
  }

  // ---------------------------------------------------------------- requests

  /** Waits until a request of this communicator is done. */
  public final void await(Request request) throws InterruptedException {
    try {
      device.await(request);
    } catch (DeviceException e) {
      throw failed(e);
    }
  }

  /** Whether a request of this communicator is done; receives what is there, without waiting. */
  public final boolean test(Request request) throws InterruptedException {
    try {
      return device.test(request);
    } catch (DeviceException e) {
      throw failed(e);
    }
  }

  /**
   * Takes a receive back that has found no message yet; it is done then. Else it goes on.
   *
   * @return whether it is cancelled
   */
  public final boolean cancel(ReceiveRequest receive) {
    return device.cancel(receive);
  }

  // ---------------------------------------------------------------- the end

  /**
   * Leaves the communicator, as all its members do, each when it is done with it: requests are, and
   * nothing that was sent is still to be received. Does not wait for the others.
   *
   * @throws IllegalStateException if it is that of the world, or of this process alone
   */
  public final void free() throws InterruptedException {
    if (id == ContextIds.WORLD || id == ContextIds.SELF) {
      throw new IllegalStateException(this + " is there for as long as the world is");
    }
    Context mine = context(); // not free yet
    attributes.removeAll();
    isFree = true;
    world.ids().leave(mine.id());
    freePrivate();
  }

  /** Frees what the communicator has for itself. */
  abstract void freePrivate() throws InterruptedException;

  /** Whether this process has left it. */
  public final boolean isFree() {
    return isFree;
  }

  /** How alike this and another communicator are; both of this process. */
  public abstract Similarity compare(Communicator other);

  // ---------------------------------------------------------------- attributes

  /** What is kept here under this key. */
  public final <T> Optional<T> attribute(Attribute<T> key) {
    return attributes.get(key);
  }

  /** Keeps something here under this key, in place of what was. */
  public final <T> void setAttribute(Attribute<T> key, T value) {
    attributes.set(key, value);
  }

  /** Keeps nothing here under this key any more. */
  public final <T> void removeAttribute(Attribute<T> key) {
    attributes.remove(key);
  }

  // ---------------------------------------------------------------- others made from it

  /** What all members do together, and fails as a call of this communicator. */
  interface Call<T> {
    T run() throws InterruptedException;
  }

  final <T> T collectively(Call<T> call) throws InterruptedException {
    context(); // it was not freed
    try {
      return call.run();
    } catch (DeviceException e) {
      throw failed(e);
    }
  }

  /** What of this one those have that are made from it. */
  final <T extends Communicator> T inherit(T made) {
    made.setErrors(errors());
    return made;
  }

  /** And what a duplicate has. */
  final <T extends Communicator> T inheritAll(T duplicate) {
    attributes.copyTo(duplicate);
    return duplicate;
  }
}
