// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.launch.Job;
import io.verbena.nodefabric.NodeFabric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Messages between ranks as MPI has them, over a {@link Node} whose peers are the other ranks. All
 * methods may be called from any thread (MPI_THREAD_MULTIPLE), but from handlers of the node.
 *
 * <p><b>Order.</b> Of two messages that one rank sends to another in one context by calls of which
 * one comes after the other, a receive that accepts both gets the first.
 *
 * <p><b>Memory.</b> The layouts of a request belong to it until it is done. A message of at most
 * {@code eagerBytes} leaves at once, is copied into the lane, and its send is done; what has
 * arrived before its receive lies in this rank's heap, within {@code unexpectedBytes}. All others
 * stay with their sender until their receive is there, and then go by pieces from memory to lane to
 * memory. Over verbs a long one goes straight from memory to memory if both lie outside the heap
 * ({@link #useFabric}).
 *
 * <p><b>Progress.</b> A thread that waits receives, and sends what is to be sent, for all. While
 * nobody waits the node's own threads do.
 *
 * <p><b>Loss.</b> When a rank is lost every request that needs it ends with a {@link
 * RankLostException} that names it: sends to it, receives from it, and receives from any source in
 * contexts that it is a member of, because nobody can tell whom they waited for. What it had sent
 * and has arrived can still be received.
 */
public final class Device implements AutoCloseable {

  /** A receive takes messages from any member. */
  public static final int ANY_SOURCE = -1;

  /** In place of a member: what is sent there goes nowhere, and nothing comes from there. */
  public static final int PROC_NULL = -2;

  /** A receive takes messages with any tag. */
  public static final int ANY_TAG = Integer.MIN_VALUE;

  /** The id of the one view type that devices use; a program uses others. */
  public static final int TYPE = 65_400;

  static final Status FROM_NOBODY = new Status(PROC_NULL, ANY_TAG, 0, null);
  private static final Duration GOODBYE = Duration.ofSeconds(2);

  private final Node node;
  private final IntFunction<String> hosts;
  private final int self;
  private final DeviceOptions options;
  private final Peers peers;
  private final Delivery delivery;
  private final Waits waits;

  private @Nullable EndedRanks watcher;
  private volatile @Nullable DirectWay directWay;

  private Device(Node node, int size, IntFunction<String> hosts, DeviceOptions options) {
    this.node = node;
    this.hosts = hosts;
    this.self = node.id();
    this.options = options;
    this.waits = new Waits(node);
    int share = (int) Math.min(options.unexpectedBytes() / size, Integer.MAX_VALUE);
    this.peers = new Peers(node, size, hosts, options, share, () -> directWay);
    this.delivery = peers.delivery();
  }

  /** The types of a node with a device and no messages of its own. */
  public static MessageTypes types() {
    return addTypes(MessageTypes.builder()).build();
  }

  /** Adds what a device needs to a node's types. */
  public static MessageTypes.Builder addTypes(MessageTypes.Builder types) {
    return types.addView(TYPE, "MPI point-to-point, version 2");
  }

  /**
   * Makes the device of a node that was built and not started yet, so that it misses nothing.
   *
   * @param node has the types of {@link #addTypes}; its id is the rank. It outlives the device
   * @param size how many ranks there are
   * @param hosts the host of each rank, for messages to people
   */
  public static Device attach(
      Node node, int size, IntFunction<String> hosts, DeviceOptions options) {
    if (node.id() >= size) {
      throw new IllegalArgumentException("node " + node.id() + " of " + size + " ranks");
    }
    Device device = new Device(node, size, hosts, options);
    Peers peers = device.peers;
    Inbox inbox = new Inbox(peers::outbox, peers.delivery(), peers::goodbye);
    node.handleView(TYPE, inbox::take);
    node.addListener(peers);
    return device;
  }

  /**
   * The device of a rank of a job: of a node that {@link Job#build} has made, before {@link
   * Job#start(Node)}. It hears from the job which ranks have ended, by a thread of its own, until
   * it is closed: nobody else may ask for {@link Job#nextEnd}, and the job is closed after it.
   */
  public static Device attach(Node node, Job job, DeviceOptions options) {
    Device device = attach(node, job.size(), new Hosts(job), options);
    device.watcher = EndedRanks.watch(job, device);
    return device;
  }

  /**
   * Has long messages between memory outside the heap go by a fabric, without a lane, where both
   * ranks have one and reach each other over verbs. Before the node starts.
   *
   * @param fabric of this device's node
   */
  public void useFabric(NodeFabric fabric) {
    directWay = new DirectWay(fabric, options.directBytes());
  }

  /** This rank in the job. */
  public int rank() {
    return self;
  }

  /** How many ranks there are. */
  public int size() {
    return peers.size();
  }

  // ---------------------------------------------------------------- sends

  /**
   * Begins to send a message. Never waits.
   *
   * @param to a member of the context, or {@link #PROC_NULL}
   * @param tag any but {@link #ANY_TAG}
   */
  public SendRequest isend(Context context, int to, int tag, Layout from) {
    return send(context, to, tag, from, false, null);
  }

  /** As {@link #isend}; done once the receive is there. */
  public SendRequest issend(Context context, int to, int tag, Layout from) {
    return send(context, to, tag, from, true, null);
  }

  /**
   * As {@link #isend} or {@link #issend}, with a note beside the message.
   *
   * @param isSynchronous whether it is done once the receive is there, not before
   */
  public SendRequest send(
      Context context, int to, int tag, Layout from, boolean isSynchronous, @Nullable Note note) {
    if (tag == ANY_TAG) {
      throw new IllegalArgumentException("a message has a tag of its own, not any");
    }
    int rank = to == PROC_NULL ? PROC_NULL : rank(context, to);
    SendRequest send = new SendRequest(context, rank, tag, from, isSynchronous, note);
    if (rank == PROC_NULL) {
      send.finish(null);
    } else if (rank == self) {
      delivery.sendToSelf(send);
    } else {
      peers.outbox(rank).send(send);
    }
    return send;
  }

  /** Sends a message and waits until its memory may be used again. */
  public void send(Context context, int to, int tag, Layout from) throws InterruptedException {
    await(isend(context, to, tag, from));
  }

  /** Sends a message and waits for its receive. */
  public void ssend(Context context, int to, int tag, Layout from) throws InterruptedException {
    await(issend(context, to, tag, from));
  }

  // ---------------------------------------------------------------- receives

  /**
   * Begins to receive a message. Never waits.
   *
   * @param from a member of the context, {@link #ANY_SOURCE}, or {@link #PROC_NULL}: it is done at
   *     once then, and its message has that source, {@link #ANY_TAG} and no bytes
   * @param tag the message's, or {@link #ANY_TAG}
   * @param into has room for it; of a longer message what there is room for is received, and the
   *     request ends with a {@link TruncatedException}
   */
  public ReceiveRequest irecv(Context context, int from, int tag, Layout into) {
    return from == PROC_NULL
        ? ReceiveRequest.fromNobody(context, tag, into)
        : post(context, ReceiveRequest.Kind.RECEIVE, from, tag, into);
  }

  /** Receives a message. */
  public Status recv(Context context, int from, int tag, Layout into) throws InterruptedException {
    ReceiveRequest receive = irecv(context, from, tag, into);
    await(receive);
    return receive.status();
  }

  /**
   * Receives a message that a matching probe has taken.
   *
   * @throws IllegalStateException if it was received before
   */
  public ReceiveRequest irecv(Message message, Layout into) {
    Arrival arrival = message.receive();
    if (arrival == null) {
      return ReceiveRequest.fromNobody(message.context(), ANY_TAG, into);
    }
    ReceiveRequest receive =
        new ReceiveRequest(
            message.context(), ReceiveRequest.Kind.RECEIVE, arrival.source(), arrival.tag(), into);
    delivery.give(arrival, receive);
    return receive;
  }

  private ReceiveRequest post(
      Context context, ReceiveRequest.Kind kind, int from, int tag, Layout into) {
    int source = source(context, from);
    ReceiveRequest receive = new ReceiveRequest(context, kind, source, tag, into);
    delivery.post(receive);
    return receive;
  }

  /**
   * Takes a receive back that has found no message yet; it is done then. Else it goes on as if
   * nothing had been said.
   *
   * @return whether it is cancelled
   */
  public boolean cancel(ReceiveRequest receive) {
    boolean isCancelled = delivery.cancel(receive);
    if (isCancelled) {
      node.wakeReceivers();
    }
    return isCancelled;
  }

  /** Whether all members are on one host: all of them know the same. */
  public boolean isOneHost(Context context) {
    String first = hosts.apply(context.rankOf(0));
    return IntStream.range(1, context.size())
        .allMatch(member -> hosts.apply(context.rankOf(member)).equals(first));
  }

  // ---------------------------------------------------------------- probes

  /**
   * Looks for a message that a receive with this envelope would get; it stays.
   *
   * @throws RankLostException if there is none and its source is lost
   */
  public Optional<Status> iprobe(Context context, int from, int tag) throws InterruptedException {
    if (from == PROC_NULL) {
      return Optional.of(FROM_NOBODY);
    }
    int source = source(context, from);
    Head found = delivery.peek(context, source, tag);
    if (found == null) {
      progress();
      found = delivery.peek(context, source, tag);
    }
    return Optional.ofNullable(found).map(head -> status(context, head));
  }

  /** As {@link #iprobe}; waits for one. Among receives that wait it stands in its turn. */
  public Status probe(Context context, int from, int tag) throws InterruptedException {
    if (from == PROC_NULL) {
      return FROM_NOBODY;
    }
    ReceiveRequest probe = post(context, ReceiveRequest.Kind.PROBE, from, tag, Layout.empty());
    await(probe);
    return probe.status();
  }

  /**
   * As {@link #iprobe}, but takes the message. That of {@link #PROC_NULL} has no bytes, {@code
   * MPI_MESSAGE_NO_PROC}.
   */
  public Optional<Message> improbe(Context context, int from, int tag) throws InterruptedException {
    if (from == PROC_NULL) {
      return Optional.of(new Message(context, null));
    }
    int source = source(context, from);
    Arrival found = delivery.take(context, source, tag);
    if (found == null) {
      progress();
      found = delivery.take(context, source, tag);
    }
    return Optional.ofNullable(found).map(arrival -> new Message(context, arrival));
  }

  /** As {@link #improbe}; waits for one. */
  public Message mprobe(Context context, int from, int tag) throws InterruptedException {
    if (from == PROC_NULL) {
      return new Message(context, null);
    }
    ReceiveRequest probe = post(context, ReceiveRequest.Kind.MATCH, from, tag, Layout.empty());
    await(probe);
    return new Message(context, probe.match());
  }

  static Status status(Context context, Head head) {
    return new Status(context.memberOf(head.source()), head.tag(), head.bytes(), head.note());
  }

  // ---------------------------------------------------------------- waiting

  /** Receives what is there and looks whether a request is done, without waiting. */
  public boolean test(Request request) throws InterruptedException {
    if (!request.isDone()) {
      progress();
    }
    request.check();
    return request.isDone();
  }

  /**
   * Waits until a request is done.
   *
   * @throws DeviceException what it ended with, if with a failure
   * @throws InterruptedException if the thread is interrupted before; the request goes on
   */
  public void await(Request request) throws InterruptedException {
    if (!request.isDone()) {
      waits.until(request);
    }
    request.check();
  }

  /**
   * Waits until a request is done, for a while at most; what ended it is not looked at.
   *
   * @return whether it is done
   * @throws InterruptedException if the thread is interrupted before; the request goes on
   */
  public boolean await(Request request, Duration atMost) throws InterruptedException {
    return request.isDone() || node.receiveUntil(request::isDone, atMost);
  }

  /**
   * Waits until a request is done, or another one that says that this one may never be; what ended
   * them is not looked at.
   *
   * @throws InterruptedException if the thread is interrupted before; the requests go on
   */
  public void await(Request request, Request unless) throws InterruptedException {
    waits.until(() -> request.isDone() || unless.isDone(), List.of(request));
  }

  /**
   * Waits until one of several requests is done; what ended it is not looked at.
   *
   * @param requests at least one
   * @return which
   * @throws InterruptedException if the thread is interrupted before; the requests go on
   */
  public int awaitAny(List<? extends Request> requests) throws InterruptedException {
    if (requests.isEmpty()) {
      throw new IllegalArgumentException("no request to wait for");
    }
    int done = firstDone(requests);
    if (done < 0) {
      waits.until(() -> firstDone(requests) >= 0, requests);
      done = firstDone(requests);
    }
    return done;
  }

  private static int firstDone(List<? extends Request> requests) {
    for (int i = 0; i < requests.size(); i++) {
      if (requests.get(i).isDone()) {
        return i;
      }
    }
    return -1;
  }

  private void progress() throws InterruptedException {
    boolean unused = node.receiveUntil(() -> false, Duration.ZERO);
  }

  /** Each wait in this rank that has lasted for a millisecond or more: of what, and for whom. */
  public List<Wait> waits() {
    return waits.all();
  }

  /** How many messages have come to this rank, or were announced, before their receives. */
  public long unexpected() {
    return delivery.unexpected();
  }

  // ---------------------------------------------------------------- the end of ranks

  /**
   * A rank has ended, as the job knows. The node tells by itself of ranks that it is connected
   * with; others can be known to have ended only by this. Idempotent.
   *
   * @param reason what the failures say
   */
  public void lose(int rank, String reason) {
    peers.lose(rank, reason);
  }

  /**
   * A rank has ended, as the job knows. If that was by a fault, receives from any source fail, too.
   * Of one that has ended well all is taken that it has sent: up to its goodbye, or what the node
   * says.
   *
   * @param status what it has ended with; 0: well
   */
  public void ended(int rank, int status) {
    peers.ended(rank, status);
  }

  /**
   * Says goodbye to the other ranks, so that these know that this one did not fail. The program's
   * requests should be done. Close it before its node, which stays as it is.
   */
  @Override
  public void close() {
    if (watcher != null) {
      watcher.stop();
    }
    peers.leave(Outbox::isOpen, GOODBYE);
  }

  /**
   * Says goodbye to all that have ever been heard of, for a program that ends without closing
   * anything: the node will not tell them. Threads that still wait for messages are not disturbed.
   *
   * @param patience how long is waited until what was to be sent has gone, and as long for the
   *     goodbye
   */
  public void leave(Duration patience) {
    peers.leave(outbox -> true, patience);
  }

  // ---------------------------------------------------------------- ranks

  private int rank(Context context, int member) {
    int rank = context.rankOf(member);
    if (rank >= size()) {
      throw new IllegalArgumentException("rank " + rank + " of " + size());
    }
    return rank;
  }

  private int source(Context context, int member) {
    return member == ANY_SOURCE ? ANY_SOURCE : rank(context, member);
  }
}
