// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.Calls;
import io.verbena.natives.Struct;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One node of one-sided memory and of channels: a device, and its links with peers. Any thread.
 *
 * <p><b>Who drives.</b> Nothing is done by itself: somebody takes what is done, and that is decided
 * by what is used first. The futures of a {@link Link}, a {@link #onSignal listener} or {@link
 * #drive} start a daemon thread, which sleeps while there is nothing to do. Otherwise the program
 * itself {@linkplain #poll polls}. Both in one fabric is refused: open two. {@link Channel
 * Channels} go with either, and with neither.
 *
 * <p><b>Closing.</b> A fabric, its regions, remotes, ends of channels and connections are closed in
 * any order, by any thread, whatever others do meanwhile: a call on what is closed throws a {@link
 * ClosedException}.
 */
public final class Fabric implements AutoCloseable {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** Of a wait that nothing ends, since nobody has armed. */
  private static final long UNARMED_NS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Who takes what is done. */
  private enum Mode {
    UNDECIDED,
    /** The program does. */
    POLLED,
    /** The driver does. */
    DRIVEN
  }

  private final int nodeId;
  private final Handle handle;
  private final String address;
  private final List<String> description;
  private final Promises promises = new Promises();
  private final Channels channels = new Channels();
  private final Words words = new Words(this::allocate);
  private final Driver driver;
  private final AtomicReference<Mode> mode = new AtomicReference<>(Mode.UNDECIDED);
  private final IntFunction<@Nullable String> addresses;
  private final Map<Integer, Link> links = new ConcurrentHashMap<>(); // by peer
  private final LinkNews news;
  private final AtomicBoolean armed = new AtomicBoolean(); // since the last wait
  private final Object polling = new Object();
  private final Object takingSignals = new Object();
  private @Nullable SignalListener listener; // guarded by takingSignals

  private Fabric(int nodeId, Handle handle, IntFunction<@Nullable String> addresses) {
    this.nodeId = nodeId;
    this.handle = handle;
    this.addresses = addresses;
    this.news = new LinkNews(nodeId);
    this.address = handle.use(it -> String.valueOf(Calls.text(Functions.ADDRESS_OF, it)));
    this.description = handle.use(Fabric::descriptionOf);
    this.driver = new Driver("verbena-fabric-" + nodeId, handle, promises, news);
  }

  /**
   * How a node with this id is to be.
   *
   * @param nodeId 0 to 65535
   * @throws IllegalArgumentException for another one
   */
  public static FabricBuilder builder(int nodeId) {
    return new FabricBuilder(nodeId);
  }

  static Fabric open(int nodeId, Struct options, IntFunction<@Nullable String> addresses) {
    return make(nodeId, addresses, at -> Calls.call(Functions.OPEN, options.memory(), at));
  }

  /** That of an endpoint over verbs, which has made room for it. */
  static Fabric shared(
      int nodeId, MemorySegment endpoint, IntFunction<@Nullable String> addresses) {
    return make(nodeId, addresses, at -> Calls.call(Functions.SHARED, endpoint, at));
  }

  private static Fabric make(
      int nodeId, IntFunction<@Nullable String> addresses, Function<MemorySegment, Object> making) {
    String name = "the fabric of node " + nodeId;
    Fabric made = new Fabric(nodeId, Handle.make(name, Functions.CLOSE, making), addresses);
    Recording.opened(made);
    return made;
  }

  private static List<String> descriptionOf(MemorySegment open) {
    List<String> lines = new ArrayList<>();
    String line = Calls.text(Functions.DESCRIBE, open, 0);
    while (line != null) {
      lines.add(line);
      line = Calls.text(Functions.DESCRIBE, open, lines.size());
    }
    return List.copyOf(lines);
  }

  Handle handle() {
    return handle;
  }

  Promises promises() {
    return promises;
  }

  Words words() {
    return words;
  }

  /** The node's id. */
  public int nodeId() {
    return nodeId;
  }

  /** Where the node is reached, {@code host:port}. */
  public String address() {
    return address;
  }

  /** Which device was chosen and why, in sentences. */
  public List<String> describe() {
    return description;
  }

  // ---------------------------------------------------------------- memory

  /**
   * Zeroed, page-aligned memory, which peers of this host can map, whatever the device, while
   * {@code /dev/shm} has room. Where that is full an adapter gets ordinary memory, and operations
   * go by it ({@link Link#way}).
   *
   * @throws FabricException if there is none, or the device does not take it
   */
  public Region allocate(long bytes) {
    return handle.use(it -> Region.allocate(it, bytes));
  }

  /**
   * The caller's own native memory, which must stay valid until the region is closed: close the
   * region before its arena. Of an automatic arena it stays by itself.
   *
   * @throws FabricException if the device does not take it
   */
  public Region register(MemorySegment memory) {
    return handle.use(it -> Region.register(it, memory));
  }

  // ---------------------------------------------------------------- links

  /** Where a peer is looked for, {@code host:port} or {@code [v6]:port}; replaces a former one. */
  public void addPeer(int peer, String where) {
    Limits.peer(peer);
    handle.use(it -> addPeer(it, peer, where));
  }

  /**
   * A peer is not looked for any more, and links with it go down; those of a node that shares its
   * device, too.
   */
  public void removePeer(int peer) {
    Limits.peer(peer);
    handle.use(it -> Calls.call(Functions.REMOVE_PEER, it, peer));
  }

  private static Object addPeer(MemorySegment open, int peer, String where) {
    try (Arena scratch = Arena.ofConfined()) {
      Functions.check(
          (int) Calls.call(Functions.ADD_PEER, open, peer, scratch.allocateFrom(where)));
      return where;
    }
  }

  /**
   * A peer that is known to be gone: it is not looked for any more, and links, channels and dials
   * with it end.
   *
   * @param reason what they say
   */
  public void giveUp(int peer, String reason) {
    Limits.peer(peer);
    handle.use(it -> giveUp(it, peer, reason));
  }

  private static Object giveUp(MemorySegment open, int peer, String reason) {
    try (Arena scratch = Arena.ofConfined()) {
      Functions.check(
          (int) Calls.call(Functions.GIVE_UP, open, peer, scratch.allocateFrom(reason)));
      return reason;
    }
  }

  /** Whoever is asked for addresses may do anything: outside of the library. */
  private void lookUp(int peer) {
    String where = addresses.apply(peer);
    if (where != null && !where.isEmpty()) {
      addPeer(peer, where);
    }
  }

  /** {@link #link(int, Duration)} with 5 seconds. */
  public Link link(int peer) {
    return link(peer, CONNECT_TIMEOUT);
  }

  /**
   * The link with a peer; connects and waits if there is none. Where there is no node, or it
   * refuses, it fails at once.
   *
   * @param timeout one that is not positive is none
   * @throws FabricException if there is none within the time, with the reason
   * @throws ClosedException if the fabric is closed, also meanwhile
   */
  public Link link(int peer, Duration timeout) {
    Limits.peer(peer);
    try {
      long id = handle.use(it -> (long) Calls.call(Functions.FIND, it, peer));
      if (id == 0) {
        lookUp(peer);
        id = handle.use(it -> connect(it, peer, Calls.nanos(timeout)));
      }
      return link(peer, id);
    } catch (FabricException e) {
      throw handle.failure(e);
    }
  }

  private Link link(int peer, long id) {
    return links.compute(
        peer, (p, known) -> known != null && known.id() == id ? known : new Link(this, id, peer));
  }

  private static long connect(MemorySegment open, int peer, long timeoutNs) {
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment link = scratch.allocate(ValueLayout.JAVA_LONG);
      Functions.check((int) Calls.call(Functions.LINK, open, peer, timeoutNs, link));
      return link.get(ValueLayout.JAVA_LONG, 0);
    }
  }

  // ---------------------------------------------------------------- channels

  /**
   * The reading end of one of this node's channels: whoever writes to it finds it from here on.
   *
   * @param number which, 0 to {@link Channel#MOST_NUMBER}
   * @param ringBytes of its memory, all of which is taken now: a power of two from 4096 to 2^31
   * @throws FabricException if there is no memory, or another reader of this number waits for its
   *     writer
   * @throws IllegalArgumentException also if the fabric was opened without {@link
   *     FabricBuilder#channels}, as of the next ones
   */
  public ChannelReader openReader(int number, long ringBytes) {
    return handle.use(it -> channels.openReader(it, number, ringBytes));
  }

  /**
   * The writing end of a channel of another node, which is known by {@link #addPeer}. Connects, and
   * waits until the reader is there, as long as its node is: where nobody listens (any more), or a
   * node without channels does, it fails at once. A node that does not answer is waited for. A
   * virtual thread holds its carrier meanwhile. Nobody else writes to it.
   *
   * @param timeout one that is not positive is none
   * @throws FabricException if it is not there within the time, with the reason
   * @throws ClosedException if the fabric is closed, also meanwhile
   */
  public ChannelWriter openWriter(int node, int number, Duration timeout) {
    Limits.peer(node);
    lookUp(node);
    try {
      return handle.use(it -> channels.openWriter(it, node, number, timeout));
    } catch (FabricException e) {
      throw handle.failure(e);
    }
  }

  /**
   * Connections by {@code host:port}; a fabric has them once at a time.
   *
   * @param ringBytes of each ring that this node reads: a power of two from 4096 to 2^31. Those
   *     that it writes to may have sixteen times as many
   */
  public Connections openConnections(long ringBytes) {
    return handle.use(it -> channels.openConnections(it, ringBytes));
  }

  // ---------------------------------------------------------------- driven by a thread

  /**
   * Starts the fabric's own thread, unless that runs: for a node that only shares memory.
   *
   * @throws IllegalStateException if the program polls
   */
  public void drive() {
    if (mode.get() == Mode.DRIVEN) {
      return;
    }
    if (mode.compareAndSet(Mode.UNDECIDED, Mode.DRIVEN)) {
      driver.start();
    } else if (mode.get() != Mode.DRIVEN) {
      throw new IllegalStateException(
          "this fabric is polled, which futures and listeners do not go with: open one more");
    }
  }

  /**
   * Who hears of signals, from now on and of those that wait.
   *
   * @throws IllegalStateException if there is a listener, or the program polls
   */
  public void onSignal(SignalListener heard) {
    synchronized (takingSignals) {
      if (listener != null) {
        throw new IllegalStateException("signals have a listener already");
      }
      drive();
      listener = heard;
    }
    driver.listen(heard);
    wakeUp();
  }

  /**
   * Is completed when everything that was asked before on any link has ended, however it has, and
   * what was done can be seen at its targets. It does not fail for what has failed, which futures
   * of its own tell.
   *
   * @throws IllegalStateException if the program polls
   * @throws ClosedException if the fabric is closed; that it is closed meanwhile is an end
   */
  public CompletableFuture<Void> quiet() {
    drive();
    handle.use(it -> it);
    List<CompletableFuture<?>> open = promises.underWay(); // of links that have ended, too
    links.values().forEach(link -> open.add(link.flush())); // behind what waits for room
    CompletableFuture<Void> all =
        CompletableFuture.allOf(open.toArray(new CompletableFuture<?>[0]));
    return all.handle((done, failed) -> null);
  }

  // ---------------------------------------------------------------- polled by the program

  /** The program polls from here on. */
  void bePolled() {
    if (mode.get() != Mode.POLLED
        && !mode.compareAndSet(Mode.UNDECIDED, Mode.POLLED)
        && mode.get() != Mode.POLLED) {
      throw new IllegalStateException(
          "this fabric is driven by its own thread, for futures, a listener or drive(): open one"
              + " more to poll");
    }
  }

  /**
   * One round, which goes on with everything, and then what is done: each operation is told of
   * once, those of a link in the order in which they were posted. Allocates nothing.
   *
   * @return how many there are in the buffer now
   * @throws IllegalStateException if the fabric is driven by its own thread
   */
  public int poll(Completions into) {
    bePolled();
    MemorySegment open = handle.enter();
    try {
      synchronized (polling) {
        return into.fill(open);
      }
    } finally {
      handle.leave();
    }
  }

  /**
   * One round, and then signals of peers. Who does not take them keeps those peers from signalling
   * more. Allocates nothing. Possible beside futures, but not beside a listener.
   *
   * @return how many there are in the buffer now
   */
  public int pollSignals(Signals into) {
    MemorySegment open = handle.enter();
    try {
      synchronized (takingSignals) {
        if (listener != null) {
          throw new IllegalStateException("signals have a listener, who takes them");
        }
        return into.fill(open);
      }
    } finally {
      handle.leave();
    }
  }

  /**
   * Waits until everything that was posted before, by whatever thread, on all links has ended,
   * however it has, and what was done can be seen at its targets. Takes nothing from {@link #poll},
   * which has all of it by then: who does not poll has no room to post after a while. Makes rounds
   * and sleeps in the library, up to 100 ms at a time; a virtual thread holds its carrier. A time
   * that is not positive is for one round.
   *
   * @return how many operations of this fabric have ended otherwise than done since it was opened:
   *     where that has grown something has failed, and {@link #poll} says what. Empty: the time is
   *     over
   * @throws IllegalStateException if the fabric is driven by its own thread
   * @throws ClosedException if the fabric is closed, also meanwhile
   */
  public OptionalLong quiet(Duration timeout) {
    bePolled();
    long limitNs = Calls.nanos(timeout);
    long began = System.nanoTime();
    while (true) {
      long leftNs = Math.max(0, limitNs - (System.nanoTime() - began));
      long sliceNs = Math.min(leftNs, UNARMED_NS); // closing waits for it
      OptionalLong failed = handle.use(it -> quiet(it, sliceNs));
      if (failed.isPresent() || leftNs == sliceNs) {
        return failed;
      }
    }
  }

  private static OptionalLong quiet(MemorySegment open, long timeoutNs) {
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment failed = scratch.allocate(ValueLayout.JAVA_LONG);
      int status = (int) Calls.call(Functions.QUIET, open, timeoutNs, failed);
      if (status == Functions.VBN_INVALID) {
        Functions.check(status);
      }
      return status == Functions.VBN_OK
          ? OptionalLong.of(failed.get(ValueLayout.JAVA_LONG, 0))
          : OptionalLong.empty();
    }
  }

  /**
   * From here on whatever {@link #poll} or {@link #pollSignals} could bring, and {@link #wake}, end
   * the next {@link #await}. Ask both once more before it.
   */
  public void arm() {
    bePolled();
    handle.use(it -> Calls.call(Functions.ARM, it));
    armed.set(true);
  }

  /**
   * Blocks until one of them, the time is over, or the fabric is closed. May return for nothing. By
   * the thread that has {@linkplain #arm armed}, once for each time: without it nothing ends the
   * wait, which lasts 100 ms at most then. A time that is not positive is none.
   */
  public void await(Duration timeout) {
    bePolled();
    handle.use(it -> await(it, Calls.nanos(timeout)));
  }

  private Object await(MemorySegment open, long timeoutNs) {
    // Once armed, ask for all that could have come before: the caller does for what is done and for
    // signals, and this does for news.
    news.take(open);
    long limitNs = armed.getAndSet(false) ? timeoutNs : Math.min(timeoutNs, UNARMED_NS);
    try {
      Functions.WAIT.invokeExact(open, limitNs);
      return this;
    } catch (Throwable e) {
      throw Functions.impossible(e);
    }
  }

  /** Ends an {@link #await} that is going on or about to begin. */
  public void wake() {
    wakeUp();
  }

  private void wakeUp() {
    handle.use(it -> Calls.call(Functions.WAKE, it));
  }

  // ---------------------------------------------------------------- the end

  /**
   * Closes ends of channels, connections and every link, and waits for their ends, a second or so
   * at most, two where somebody {@linkplain Connections#connect connects}. Open futures are
   * completed with a {@link ClosedException}; what is polled is not told of any more. Regions and
   * remotes stay. A system call that is at work in a message of a ring is waited for. Idempotent.
   */
  @Override
  public void close() {
    if (handle.free(this::rouse, channels::closeAll)) {
      Recording.closed(this);
      driver.join();
      promises.failAll(handle + " was closed");
      words.close();
    }
  }

  /** Nobody who is inside waits any longer: neither for what is done nor for a link. */
  private void rouse(MemorySegment open) {
    channels.closing();
    Calls.call(Functions.WAKE, open);
    Calls.call(Functions.STOP, open);
  }

  // ---------------------------------------------------------------- recorded

  /** For the flight recorder, by its thread. */
  void record() {
    if (!handle.tryEnter()) {
      return;
    }
    try {
      MemorySegment open = handle.pointer();
      news.take(open); // of a fabric that is polled and never waits
      LinkCounters.ofAll(open).forEach(counters -> LinkCountersEvent.emit(nodeId, counters));
    } finally {
      handle.leave();
    }
  }

  /** Whether it was closed. */
  public boolean isClosed() {
    return handle.isClosed();
  }

  @Override
  public String toString() {
    return "Fabric[node " + nodeId + " at " + address + (isClosed() ? ", closed]" : "]");
  }
}
