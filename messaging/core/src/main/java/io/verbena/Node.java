// SPDX-License-Identifier: Apache-2.0
package io.verbena;

import io.verbena.internal.node.LocalNode;
import io.verbena.transport.Companion;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * One process's place in the cluster: sends messages to other nodes by id, and runs handlers for
 * those that arrive. All methods may be called from any thread.
 *
 * <p><b>Life.</b> A node is {@link #build built}, gets its handlers, and is {@link #start started}:
 * no message is taken before. Until then it can neither send nor be reached ({@link
 * IllegalStateException}).
 *
 * <p><b>Order.</b> Messages sent with {@link #send} to one node arrive in the order sent. Replies
 * and the requests that handlers make go a way of their own, on which messages that wait for
 * handlers never hold them up: they may overtake messages that were sent before. An {@link #sender
 * exclusive lane} has an order of its own; between lanes there is none.
 *
 * <p><b>Waiting.</b> {@link #send} connects on first use and waits while the lane is full; called
 * from an inline handler it never waits but queues up to {@code overflow.bytes}, then throws {@link
 * BackPressureException}.
 *
 * <p><b>Loss.</b> A broken wire between two living processes loses and repeats nothing. When a peer
 * dies or restarts, what it had not consumed is reported to {@link NodeListener#undeliverable}, and
 * open requests fail with {@link PeerLostException} or {@link PeerRestartedException}.
 */
public interface Node extends AutoCloseable {

  /**
   * Makes a node that does nothing yet: it takes handlers, listeners and peers, and begins to talk
   * when it is {@link #start() started}. This is the form for whoever serves.
   */
  static Node build(NodeConfig config) {
    return new LocalNode(config);
  }

  /**
   * Makes a node and starts it: the short form for clients, whose peers say nothing before they are
   * asked. What arrives before its handler is registered is reported to {@link
   * NodeListener#handlerFailed} as a message without a handler, and lost.
   *
   * @throws VerbenaException as {@link #start} does
   */
  static Node open(NodeConfig config) {
    return build(config).start();
  }

  /**
   * Starts the transports: from here on the node is reached by its peers and may send. Handlers and
   * listeners registered before miss nothing, not even what a peer sends that has waited for this
   * node to come back.
   *
   * @return this node
   * @throws VerbenaException if an address is in use, the configuration does not fit this machine,
   *     or a transport cannot start; the node is closed then
   * @throws IllegalStateException if the node was started before
   * @throws NodeClosedException if it is closed
   */
  Node start();

  /** This node's id, 0 to 65535. */
  int id();

  /** The random number of this life of the node. */
  long incarnation();

  /**
   * Where this node accepts links over a network, {@code host:port}: as {@code listen} says, with
   * the port that it was given if that says 0. Empty if the node is not started, and if it listens
   * nowhere: shared memory needs no address.
   */
  String address();

  /**
   * Sends a message; returns when it is in the lane.
   *
   * @param to a peer's id, or this node's own
   * @throws UnknownPeerException if {@code to} is not a peer
   * @throws UnregisteredTypeException if the message's class is not registered
   * @throws PeerLostException if no connection could be made, or it was lost while waiting for room
   * @throws MessageTooLargeException if it is larger than {@code message.max.bytes}
   * @throws BackPressureException if the caller is an inline handler, there is no room, and {@code
   *     overflow.bytes} wait for it already
   * @throws NodeClosedException if the node is closed
   * @throws IllegalStateException if the node was not started
   */
  void send(int to, Record message);

  /**
   * Sends a message to several nodes; it is encoded once. Those that are connected and have room
   * get it first; for the others it waits as {@link #send(int, Record)} does, one after the other.
   * What fails at one node keeps none of the others from getting it.
   *
   * @throws GroupSendException if some nodes did not get it: says which, and why
   * @throws UnregisteredTypeException if the message's class is not registered
   * @throws MessageTooLargeException if it is larger than {@code message.max.bytes}
   * @throws NodeClosedException if the node is closed
   */
  void send(Collection<Integer> to, Record message);

  /**
   * Sends a message if that needs no waiting. A message that must be fragmented is accepted only if
   * the lane has room for all of it now.
   */
  SendResult trySend(int to, Record message);

  /**
   * A future that completes when {@link #trySend} of this message would find room: for who was told
   * {@link SendResult#FULL} or {@link SendResult#CONNECTING} and has other things to do meanwhile.
   * Never waits, and nothing is sent. Connects if needed.
   *
   * <pre>{@code
   * void sendAll(Queue<Record> messages) { // also in an inline handler
   *   for (Record next = messages.peek(); next != null; next = messages.peek()) {
   *     if (node.trySend(to, next) != SendResult.ACCEPTED) {
   *       node.whenRoom(to, next).thenRun(() -> sendAll(messages));
   *       return;
   *     }
   *     messages.remove();
   *   }
   * }
   * }</pre>
   *
   * <p>There is room for one: other threads may take it before, so try again, and ask again where
   * that fails.
   *
   * <p><b>Outcome.</b> The future completes once. It fails with {@link PeerLostException} or one of
   * its kind if no connection can be made within {@code connect.timeout} or the session with the
   * peer ends, and with {@link NodeClosedException}. Who wants it no more cancels it. What is
   * attached to it runs on the thread that completes it, one that receives as a rule, or on the
   * calling thread if there is room already: it must not block. No lock of Verbena's is held then.
   *
   * <p><b>Cost.</b> While such a future is open, each round of a thread that receives looks for
   * room, and no such thread sleeps for more than half a millisecond.
   *
   * @throws UnknownPeerException if {@code to} is not a peer
   * @throws UnregisteredTypeException if the message's class is not registered
   * @throws MessageTooLargeException if it is larger than {@code message.max.bytes}, or {@link
   *     #trySend} never finds room for it in a lane of {@code lane.bytes}
   */
  CompletableFuture<Void> whenRoom(int to, Record message);

  /** {@link #requestAsync(int, Record, Class, Duration)} with {@code request.timeout}. */
  <R extends Record> CompletableFuture<R> requestAsync(int to, Record message, Class<R> replyType);

  /**
   * Sends a request and returns a future of its reply.
   *
   * <p><b>Waiting.</b> The reply is not waited for. As with {@link #send(int, Record)}, the call
   * itself waits for a connection if there is none yet and for room if the lane is full, and in an
   * inline handler for neither. {@code timeout} counts from the call on and bounds all of it; a
   * request that could not be sent within it is not sent later.
   *
   * <p><b>Outcome.</b> The future completes with the reply or fails with {@link
   * RequestTimeoutException}, {@link RemoteHandlerException}, {@link UnexpectedReplyException},
   * {@link PeerLostException}, {@link NodeClosedException}, {@link BackPressureException} if {@code
   * requests.max} are open or an inline handler has queued too much, or {@link
   * InterruptedException} if the thread is interrupted while the call waits (it stays interrupted).
   * Only what is wrong with the call itself is thrown.
   *
   * <p><b>Giving up.</b> Whoever completes the future in another way ({@code cancel}, {@code
   * orTimeout}, {@code completeExceptionally} and so on) has the request forgotten at once; a late
   * reply is dropped and counted.
   *
   * <p>What is attached to the future runs on the thread that completes it, one of Verbena's, and
   * must not block; for work that does use the {@code Async} forms.
   *
   * @throws UnknownPeerException if {@code to} is not a peer
   * @throws UnregisteredTypeException if the message's class is not registered
   * @throws MessageTooLargeException if it is larger than {@code message.max.bytes}
   */
  <R extends Record> CompletableFuture<R> requestAsync(
      int to, Record message, Class<R> replyType, Duration timeout);

  /**
   * Sends a request and waits for the reply. {@code timeout} counts from the call on and bounds all
   * of it: connecting, waiting for room and waiting for the reply. A waiting platform thread helps
   * to receive. Inline handlers of any message may run on it meanwhile: hold no lock that they
   * need. Must not be called from an inline handler.
   *
   * @throws RequestTimeoutException if there was no reply within {@code timeout}; a request that
   *     could not be sent within it is not sent later
   * @throws InterruptedException if the thread is or gets interrupted, whatever it waits for; the
   *     request is forgotten
   * @throws IllegalStateException if called from an inline handler
   */
  <R extends Record> R request(int to, Record message, Class<R> replyType, Duration timeout)
      throws InterruptedException;

  /**
   * Receives on the calling thread until {@code done}: for whoever waits for what handlers bring
   * about, as {@link #request} waits for its reply. The way from a message's arrival to the thread
   * that waits for it then crosses no other thread.
   *
   * <p><b>Who receives.</b> A platform thread takes messages over every transport in use. Inline
   * handlers of any message may run on it: hold no lock that they need. One thread at a time
   * receives over a transport; others that wait sleep, and one of them takes its place when it
   * leaves. A virtual thread waits and leaves receiving to others.
   *
   * <p><b>{@code done}</b> is asked often, by this thread and by others that receive meanwhile,
   * several at a time: it must be fast and must not wait. Once it was true, whoever asked, the wait
   * is over, even if something makes it false again. What it throws ends the wait. The thread
   * notices at once when a handler, a listener, the outcome of a request or that of {@link
   * #whenRoom} makes it true; whoever else does says so by {@link #wakeReceivers}, or it may take a
   * fifth of a second. When a peer is lost nothing ends by itself: {@code done} may look at what a
   * {@link NodeListener} was told.
   *
   * @param timeout none or less: what has arrived is received, here or by the thread that receives
   *     at this moment, and nothing is waited for; {@code ChronoUnit.FOREVER.getDuration()}: no
   *     limit
   * @return whether it is done; false if the time is over
   * @throws InterruptedException if the thread is interrupted before it is done, which may take a
   *     fifth of a second to be noticed
   * @throws NodeClosedException if the node is or gets closed before it is done
   * @throws IllegalStateException if the calling thread receives already, as in an inline handler,
   *     in {@code done}, or in what is attached to a future that a thread which receives completes;
   *     or if the node was not started
   */
  boolean receiveUntil(BooleanSupplier done, Duration timeout) throws InterruptedException;

  /**
   * Has the threads in {@link #receiveUntil} ask whether what they wait for is done: for whoever
   * brings it about outside of handlers and listeners. Never waits.
   */
  void wakeReceivers();

  /**
   * Opens an exclusive lane to a node, for one thread that sends a lot; connects if needed. Meant
   * to be kept: each takes a lane of memory on both sides, and a session has ids for 32,766 in its
   * time.
   *
   * @throws PeerLostException if no connection could be made
   * @throws BackPressureException if {@code lanes.max} are open, or all ids were given out
   */
  Sender sender(int to);

  /** Registers an inline handler; a type has one handler, the last one registered. */
  default <T extends Record> void handle(Class<T> type, MessageHandler<? super T> handler) {
    handle(type, Execution.inline(), handler);
  }

  /**
   * Registers a handler. One that takes another's place may be called while that one still finishes
   * what was queued for it.
   *
   * @throws UnregisteredTypeException if the type is not in the type table
   */
  <T extends Record> void handle(
      Class<T> type, Execution execution, MessageHandler<? super T> handler);

  /**
   * Registers an inline handler that sees a type's bytes in place; for view types and for records.
   */
  default void handleView(int typeId, ViewHandler handler) {
    handleView(typeId, Execution.inline(), handler);
  }

  /**
   * Registers a handler that sees a type's bytes: in place if it is inline; in a pool or a virtual
   * thread they are a copy, which belongs to the handler.
   *
   * @throws UnregisteredTypeException if the type is not in the type table
   */
  void handleView(int typeId, Execution execution, ViewHandler handler);

  /** Registers an inline handler for records of all types that have no handler of their own. */
  default void handleOthers(MessageHandler<? super Record> handler) {
    handleOthers(Execution.inline(), handler);
  }

  /**
   * Registers a handler for records of all registered types that have no handler of their own, now
   * or later. There is one, the last one registered; a pool's threads serve all these types.
   */
  void handleOthers(Execution execution, MessageHandler<? super Record> handler);

  /**
   * Registers a handler for the bytes of all registered types that have no other handler, view
   * types among them. There is one, the last one registered. In place or copied as with {@link
   * #handleView(int, Execution, ViewHandler)}.
   */
  void handleOtherViews(Execution execution, OtherViewHandler handler);

  /** Takes a type's own handler away, which finishes what is queued for it. */
  void removeHandler(Class<? extends Record> type);

  /** As {@link #removeHandler(Class)}, for a type by its id. */
  void removeHandler(int typeId);

  /** Takes the handlers for all others away, which finish what is queued for them. */
  void removeOtherHandlers();

  /**
   * Adds a peer, or gives it another address.
   *
   * @param address {@code host:port}, {@code [ipv6]:port}, or empty if it is reached over shared
   *     memory only
   * @throws ConfigException if the address has another form
   */
  void addPeer(int id, String address);

  /**
   * Forgets a peer: flushes what was accepted, waits until the inline handler that is at work has
   * returned, then closes its connection. All this takes {@code close.grace} at most. In an inline
   * handler it returns at once and that is done behind it.
   */
  void removePeer(int id);

  /**
   * A peer is known to be gone by something that watches over it: nothing is waited for. The
   * connection is {@linkplain NodeListener#lost lost}, and what the peer did not consume is
   * reported; calls that wait for it end with a {@link PeerLostException}, and so does each later
   * call that is for it. What it has sent and was not taken is dropped, and a link that it makes is
   * refused. {@link #addPeer} makes it a peer again. A peer that lives after all may report what
   * this node is just handling: {@link #removePeer} is for those.
   *
   * @param reason what they all say
   * @throws IllegalArgumentException if it is this node
   * @throws IllegalStateException if called from a codec that writes a message
   */
  void giveUp(int id, String reason);

  /**
   * Attaches what is to live with the node under its identity: it is told when the node has
   * started, and before the node's transports close. How one-sided memory comes to a node ({@code
   * verbena-node-fabric}).
   *
   * @throws IllegalStateException if the node was started before
   * @throws NodeClosedException if it is closed
   */
  void attach(Companion companion);

  /** Adds a listener; listeners are called on Verbena's threads and must not block. */
  void addListener(NodeListener listener);

  /**
   * The state of every connection that has a session now. Peers that are being dialled for the
   * first time, or after a loss, are not among them; see {@link NodeListener#unreachable}.
   */
  Collection<ConnectionInfo> connections();

  /** The counters of this node. */
  Metrics metrics();

  /** {@link #close(Duration)} with {@code close.grace}. */
  @Override
  void close();

  /**
   * Closes the node, in this order:
   *
   * <ol>
   *   <li>It takes no more messages: those that peers have still in their lanes stay there, and are
   *       reported to their senders in the end. Only what peers' handlers request is still taken,
   *       as handlers here may wait for them; and only handlers may still send.
   *   <li>Messages that were taken are handled, inline, in pools and virtual threads; their
   *       handlers may send, reply and request meanwhile. A message is handled or reported to its
   *       sender, never both.
   *   <li>What was accepted is flushed. All this takes at most {@code grace}.
   *   <li>Messages that still wait for their handlers are dropped: counted, reported to {@link
   *       NodeListener#dropped}, and to their senders if they are requests. Handlers that still run
   *       in pools and virtual threads are interrupted. An inline handler that still runs is not:
   *       its message, and what the receiving thread took in the moment before it, are reported to
   *       their senders though they may have been handled.
   *   <li>It says goodbye to its peers, fails every open request with {@link NodeClosedException}
   *       and releases everything. A peer that does not read makes this take up to two seconds
   *       longer than {@code grace}.
   * </ol>
   *
   * <p>Who calls it again waits for the end of that. In a handler or listener it returns at once
   * and the node is closed behind it.
   *
   * @param grace however long it is; less than none counts as none
   * @throws IllegalStateException if called from a codec that writes a message; nothing has ended
   *     then, and the node may be closed later
   */
  void close(Duration grace);

  /** Whether the node is closed, or about to be: no peer hears of it any more. */
  boolean isClosed();

  /**
   * Waits until the node is closed, by whomever.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   * @throws IllegalStateException if called from a handler or listener of the node
   */
  void awaitClosed() throws InterruptedException;
}
