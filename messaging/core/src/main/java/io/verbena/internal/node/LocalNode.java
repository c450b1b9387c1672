// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.ConnectionInfo;
import io.verbena.Execution;
import io.verbena.MessageHandler;
import io.verbena.Metrics;
import io.verbena.Node;
import io.verbena.NodeClosedException;
import io.verbena.NodeConfig;
import io.verbena.NodeListener;
import io.verbena.OtherViewHandler;
import io.verbena.SendResult;
import io.verbena.Sender;
import io.verbena.UnregisteredTypeException;
import io.verbena.VerbenaException;
import io.verbena.ViewHandler;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.codec.TypeTable;
import io.verbena.internal.connection.Connection;
import io.verbena.internal.connection.PendingRequest;
import io.verbena.internal.event.RequestEvent;
import io.verbena.transport.Companion;
import io.verbena.transport.NativeAccess;
import io.verbena.transport.ProgressLoop;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A node: the public face over the {@link Switchboard} and its connections. */
public final class LocalNode implements Node {

  /** The bits of a request's id that are zero if it is one of those that are measured. */
  private static final long UNSAMPLED_IDS = 15;

  private final Switchboard board;
  private final TypeTable types;
  private final Handlers handlers;
  private final Ending ending;

  /** Makes a node that is not started; see {@link Node#build}. */
  public LocalNode(NodeConfig config) {
    String denied =
        NativeAccess.deniedBecause(LocalNode.class, () -> MemorySegment.NULL.reinterpret(0));
    if (!denied.isEmpty()) {
      throw new VerbenaException("node " + config.nodeId() + " cannot be made: " + denied, null);
    }
    this.board = new Switchboard(config, this::finishesMessages);
    this.types = board.types();
    this.handlers =
        new Handlers(board.id(), types, board.sinks(), this::dropped, board.receivers()::changed);
    this.ending = new Ending(board.id(), this::isInTheWayOfTheEnd, this::end);
  }

  @Override
  public Node start() {
    board.start();
    return this;
  }

  @Override
  public int id() {
    return board.id();
  }

  @Override
  public long incarnation() {
    return board.incarnation();
  }

  @Override
  public String address() {
    return board.transports().address();
  }

  @Override
  public void send(int to, Record message) {
    board.connectionTo(to).send(types.codecOf(message.getClass()), message);
  }

  @Override
  public void send(Collection<Integer> to, Record message) {
    try (GroupSend group = new GroupSend(board, message)) {
      group.send(to);
    }
  }

  @Override
  public SendResult trySend(int to, Record message) {
    return board.connectionTo(to).trySend(types.codecOf(message.getClass()), message);
  }

  @Override
  public CompletableFuture<Void> whenRoom(int to, Record message) {
    try {
      return board.connectionTo(to).whenRoom(types.codecOf(message.getClass()), message);
    } catch (NodeClosedException e) { // as below
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public <R extends Record> CompletableFuture<R> requestAsync(
      int to, Record message, Class<R> replyType) {
    return requestAsync(to, message, replyType, board.config().requestTimeout());
  }

  @Override
  public <R extends Record> CompletableFuture<R> requestAsync(
      int to, Record message, Class<R> replyType, Duration timeout) {
    try {
      return start(to, message, replyType, timeout);
    } catch (NodeClosedException e) { // nothing is wrong with the call: it only came late
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public <R extends Record> R request(int to, Record message, Class<R> replyType, Duration timeout)
      throws InterruptedException {
    if (ProgressLoop.currentThreadReceives()) {
      throw new IllegalStateException(
          "a blocking request from a thread that receives would wait for itself; use requestAsync,"
              + " or run the handler in a pool or on virtual threads");
    }
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before the request was sent");
    }
    return start(to, message, replyType, timeout).await();
  }

  @Override
  public boolean receiveUntil(BooleanSupplier done, Duration timeout) throws InterruptedException {
    if (ProgressLoop.currentThreadReceives()) {
      throw new IllegalStateException(
          "this thread receives already: a handler that waited in its place would hold up all that"
              + " comes after it; run the handler in a pool or on virtual threads");
    }
    board.requireStarted();
    boolean isDone = board.receivers().receiveUntil(done, saturatedNs(timeout));
    if (!isDone && board.isClosed()) {
      throw new NodeClosedException("node " + id() + " is closed");
    }
    return isDone;
  }

  @Override
  public void wakeReceivers() {
    VarHandle.fullFence(); // what the caller has made true is there before the sleepers' looks
    board.receivers().changed();
  }

  /** Starts a request; measures it if somebody records that, and one in some for the status. */
  private <R extends Record> PendingRequest<R> start(
      int to, Record message, Class<R> replyType, Duration timeout) {
    RequestEvent event = RequestEvent.isOn() ? RequestEvent.start() : null;
    MessageCodec codec = types.codecOf(message.getClass());
    PendingRequest<R> request =
        board.connectionTo(to).request(codec, message, replyType, saturatedNs(timeout));
    if (event != null) {
      record(event, request, replyType);
    }
    if ((request.id() & UNSAMPLED_IDS) == 0) {
      sample(request);
    }
    return request;
  }

  private void record(RequestEvent event, PendingRequest<?> request, Class<?> replyType) {
    int peer = request.connection().peer();
    var unused =
        request.whenComplete(
            (reply, failure) -> RequestEvent.finish(event, id(), peer, replyType, failure));
  }

  private void sample(PendingRequest<?> request) {
    var unused =
        request.whenComplete(
            (reply, failure) -> {
              if (failure == null) {
                board.metrics().replyTimes().add(request.ageNs());
              }
            });
  }

  private static long saturatedNs(Duration time) {
    return TimeUnit.NANOSECONDS.convert(time);
  }

  @Override
  public Sender sender(int to) {
    return board.connectionTo(to).openSender();
  }

  @Override
  public <T extends Record> void handle(
      Class<T> type, Execution execution, MessageHandler<? super T> handler) {
    handlers.register(types.codecOf(type), execution, handler);
  }

  @Override
  public void handleView(int typeId, Execution execution, ViewHandler handler) {
    handlers.register(checked(typeId), execution, handler);
  }

  private int checked(int typeId) {
    if (types.nameOf(typeId) == null) {
      throw new UnregisteredTypeException("type " + typeId + " is not registered");
    }
    return typeId;
  }

  @Override
  public void handleOthers(Execution execution, MessageHandler<? super Record> handler) {
    handlers.registerOthers(execution, handler);
  }

  @Override
  public void handleOtherViews(Execution execution, OtherViewHandler handler) {
    handlers.registerOtherViews(execution, handler);
  }

  @Override
  public void removeHandler(Class<? extends Record> type) {
    handlers.remove(types.codecOf(type).typeId());
  }

  @Override
  public void removeHandler(int typeId) {
    handlers.remove(checked(typeId));
  }

  @Override
  public void removeOtherHandlers() {
    handlers.removeOthers();
  }

  @Override
  public void addPeer(int id, String address) {
    board.peers().add(id, address);
  }

  @Override
  public void removePeer(int id) {
    board.removePeer(id);
  }

  @Override
  public void giveUp(int id, String reason) {
    board.giveUp(id, reason);
  }

  @Override
  public void attach(Companion companion) {
    board.companions().add(companion);
  }

  @Override
  public void addListener(NodeListener listener) {
    board.listeners().add(listener);
  }

  @Override
  public Collection<ConnectionInfo> connections() {
    List<ConnectionInfo> infos = new ArrayList<>();
    for (Connection connection : board.connections()) {
      ConnectionInfo info = connection.info();
      if (info != null) {
        infos.add(info);
      }
    }
    return infos;
  }

  @Override
  public Metrics metrics() {
    return board.metrics();
  }

  @Override
  public void close() {
    close(board.config().closeGrace());
  }

  @Override
  public void close(Duration grace) {
    board.refuseToWriter();
    ending.begin(grace);
  }

  @Override
  public boolean isClosed() {
    return board.isClosed();
  }

  @Override
  public void awaitClosed() throws InterruptedException {
    ending.await();
  }

  /** Whether the calling thread receives or handles a message. */
  private boolean finishesMessages() {
    return ProgressLoop.currentThreadReceives() || handlers.runHere();
  }

  /** Closing waits for handlers, and for links that begin once their listeners have returned. */
  private boolean isInTheWayOfTheEnd() {
    return finishesMessages() || board.listeners().areToldHere();
  }

  private void dropped(int peer, int typeId) {
    board.metrics().handlerDropped();
    board.listeners().dropped(peer, typeId);
  }

  private void end(long untilNs) {
    try {
      board.beginClosing();
      finish(untilNs);
    } finally {
      board.close();
    }
  }

  /** Has handled what was taken and consumed what was accepted, as long as there is time. */
  private void finish(long untilNs) {
    board.awaitRounds(untilNs);
    long queued;
    do {
      queued = handlers.queuedSoFar();
      handlers.finish(untilNs);
      board.flush(untilNs); // what handlers have sent to this node itself comes back to them
      // One that came meanwhile may have sent more before it was done.
    } while (queued != handlers.queuedSoFar() && System.nanoTime() - untilNs < 0);
    if (handlers.close()) {
      board.flush(
          System.nanoTime() + Farewell.MOMENT_NS); // who has asked hears of it before the goodbye
    }
    board.stopTakingRequests(untilNs);
  }
}
