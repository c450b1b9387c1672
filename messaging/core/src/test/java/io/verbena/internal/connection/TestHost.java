// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.ConnectionInfo;
import io.verbena.MessageHandler;
import io.verbena.MessageTypes;
import io.verbena.NodeConfig;
import io.verbena.NodeListener;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.codec.TypeTable;
import io.verbena.internal.memory.RetiredMemory;
import io.verbena.internal.metrics.NodeMetrics;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Transport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A node without threads or transports of its own: what connections need and no more. */
public final class TestHost implements Host {

  /** A small message. */
  public record Note(long number) {}

  /** A message of any size. */
  public record Blob(byte[] bytes) {}

  /** A message that runs something while it is written. */
  public record Busy(long number) {
    static final ThreadLocal<@Nullable Runnable> ERRAND = new ThreadLocal<>();

    @Override
    public long number() {
      Runnable errand = ERRAND.get();
      ERRAND.remove();
      if (errand != null) {
        errand.run();
      }
      return number;
    }
  }

  /** A message whose next reading by this thread may fail with an error of the JVM. */
  public record Fragile(long number) {
    static final ThreadLocal<@Nullable Error> FAULT = new ThreadLocal<>();

    /** Fails if it was told to. */
    public Fragile {
      Error fault = FAULT.get();
      FAULT.remove();
      if (fault != null) {
        throw fault;
      }
    }
  }

  /** Never registered. */
  public record Stranger() {}

  /** The smallest lane there can be: a note takes 16 bytes of it. */
  public static final int LANE_BYTES = 65_536;

  static final int NOTE = 1;
  static final int BLOB = 2;
  static final int VIEW = 3;
  static final int BUSY = 4;
  static final int FRAGILE = 5;

  private static final MessageTypes TYPES =
      MessageTypes.builder()
          .add(NOTE, Note.class)
          .add(BLOB, Blob.class)
          .addView(VIEW, "view")
          .add(BUSY, Busy.class)
          .add(FRAGILE, Fragile.class)
          .build();

  private int wakes;
  private final NodeConfig config;
  private final TypeTable types = TypeTable.of(TYPES);
  private final SinkTable sinks = new SinkTable();
  private final RequestTable requests = new RequestTable(64);
  private final NodeMetrics metrics = new NodeMetrics();
  private final Set<Connection> backlogged = ConcurrentHashMap.newKeySet();
  private final List<Throwable> handlerFailures = new CopyOnWriteArrayList<>();
  private volatile @Nullable RetiredMemory retired; // set before the first session
  private volatile long nowNs;
  private volatile boolean closing;
  private volatile boolean closed;

  /** What listeners were told, one line each. */
  public final List<String> news = new CopyOnWriteArrayList<>();

  /** What dials; none where tests link by hand. */
  volatile List<Transport> transports = List.of();

  /** Where peers are; null if they are none any more. */
  volatile @Nullable String address = "";

  /** Why the peer was given up; null if it was not. */
  volatile @Nullable String givenUp;

  /** Is told, too, what happens. */
  volatile NodeListener listener = new NodeListener() {};

  /** The messages forwarded through this host and to whom. */
  final List<String> sentOn = new ArrayList<>();

  /** The answer to what {@link #requestOn} was asked last. */
  CompletableFuture<Record> answerToForwarded = new CompletableFuture<>();

  /** Makes a node whose configuration is adjusted. */
  public TestHost(int id, Consumer<NodeConfig.Builder> adjust) {
    NodeConfig.Builder builder = NodeConfig.builder().id(id).types(TYPES).laneBytes(LANE_BYTES);
    adjust.accept(builder);
    this.config = builder.build();
  }

  /** Makes a node. */
  public TestHost(int id) {
    this(id, builder -> {});
  }

  /** The codec of a message's class. */
  public MessageCodec codecOf(Record message) {
    return types.codecOf(message.getClass());
  }

  /** Registers an inline handler. */
  public <T extends Record> void handle(Class<T> type, MessageHandler<? super T> handler) {
    MessageCodec codec = types.codecOf(type);
    sinks.put(codec.typeId(), codec.sink(handler));
  }

  /** Registers handlers that write down each note's number and, below zero, each blob's length. */
  void writeDown(List<Long> heard) {
    handle(Note.class, (note, from) -> heard.add(note.number()));
    handle(Blob.class, (blob, from) -> heard.add((long) -blob.bytes().length));
  }

  /** From here on memory is freed as a node does, by the time that {@link #tick} tells. */
  TestHost keepMemory() {
    retired = new RetiredMemory(Long.MAX_VALUE);
    return this;
  }

  /** Lets time pass for the memory that is kept. */
  void tick(long newNowNs) {
    nowNs = newNowNs;
    RetiredMemory kept = retired;
    if (kept != null) {
      kept.tick(newNowNs);
    }
  }

  /** Has the clock say that this node is closed: nothing is dialled any more. */
  public void close() {
    closed = true;
  }

  /** Peers' messages are taken no more from here on. */
  void beginClosing() {
    closing = true;
  }

  /** A counter's value. */
  public long counter(String name) {
    return metrics.snapshot().get(name);
  }

  /** What handlers threw. */
  public List<Throwable> handlerFailures() {
    return handlerFailures;
  }

  /** Moves what handlers queued, as receiving loops do; returns how much is left. */
  int moveBacklog() {
    return backlogged.stream().mapToInt(Connection::moveBacklog).sum();
  }

  @Override
  public int id() {
    return config.nodeId();
  }

  @Override
  public NodeConfig config() {
    return config;
  }

  @Override
  public TypeTable types() {
    return types;
  }

  @Override
  public SinkTable sinks() {
    return sinks;
  }

  @Override
  public RequestTable requests() {
    return requests;
  }

  @Override
  public NodeMetrics metrics() {
    return metrics;
  }

  @Override
  public List<Transport> transportsTo(int peer) {
    return transports;
  }

  @Override
  public @Nullable String addressOf(int peer) {
    return address;
  }

  @Override
  public @Nullable String givenUpBecause(int peer) {
    return givenUp;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public boolean takesNoMessages() {
    return closing || closed;
  }

  @Override
  public void tell(Consumer<NodeListener> what) {
    what.accept(new Writer());
    what.accept(listener);
  }

  @Override
  public void handlerFailed(int peer, int typeId, Throwable failure) {
    tell(listener -> listener.handlerFailed(peer, typeId, failure));
  }

  @Override
  public void stateChanged(ConnectionInfo connection, String reason) {}

  @Override
  public void backlogged(Connection connection) {
    backlogged.add(connection);
    connection.moveQueued();
  }

  @Override
  public void roomWanted(Connection connection) {
    backlogged.add(connection);
  }

  @Override
  public void wakeReceivers() {
    wakes++;
  }

  /** How often threads that receive were woken. */
  int wakes() {
    return wakes;
  }

  @Override
  public void sessionBegan(Connection connection) {}

  /** At once unless a test wants to see what happens until then, or what a clock frees. */
  @Override
  public void freeLater(LaneMemory memory) {
    RetiredMemory kept = retired;
    if (kept == null) {
      memory.close();
    } else {
      kept.add(nowNs, memory.bytes(), memory::close);
    }
  }

  @Override
  public void sendOn(int to, Record message) {
    sentOn.add(message + " to " + to);
  }

  @Override
  public CompletableFuture<Record> requestOn(int to, Record message) {
    sendOn(to, message);
    return answerToForwarded;
  }

  /** Writes down what it is told. */
  private final class Writer implements NodeListener {
    @Override
    public void lost(int nodeId, String reason) {
      news.add("lost " + nodeId);
    }

    @Override
    public void unreachable(int nodeId, String reason) {
      news.add("unreachable " + nodeId + ": " + reason);
    }

    @Override
    public void restarted(int nodeId) {
      news.add("restarted " + nodeId);
    }

    @Override
    public void undeliverable(
        int nodeId, int typeId, MemorySegment segment, long offset, int length) {
      String what =
          typeId == NOTE
              ? "note " + segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset)
              : "type " + typeId + " of " + length;
      news.add("undeliverable " + what);
    }

    @Override
    public void handlerFailed(int nodeId, int typeId, Throwable failure) {
      handlerFailures.add(failure);
    }
  }
}
