// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma.internal;

import io.verbena.natives.Calls;
import io.verbena.natives.Gate;
import io.verbena.natives.Hold;
import io.verbena.natives.SharedEndpoints;
import io.verbena.natives.Struct;
import io.verbena.natives.Structs;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.replica.Replicas.Grant;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One node's end of its links over verbs, in the native library. Calls after {@link #close} do
 * nothing. Rounds, {@link #arm} and {@link #await} are made by one thread at a time, and not while
 * it is closed.
 */
public final class Endpoint implements AutoCloseable {

  /** A flag of {@link #progress}: there is {@link #takeNews news}. */
  public static final long NEWS = 1L << 32;

  /** A flag of {@link #progress}: something was done. */
  public static final long WORK = 1L << 33;

  private static final long POSTED_OFFSET = 256;

  private final MemorySegment endpoint;
  private final Gate gate = new Gate();
  private final Arena arena = Arena.ofShared();
  private final Arrivals arrivals = new Arrivals(arena);
  private final Struct news = Struct.allocate(Structs.NEWS, arena); // by who does rounds
  private final HeldLanes rings =
      new HeldLanes(EndpointFunctions.ALLOCATE_RING, EndpointFunctions.FREE_RING);
  private final HeldLanes replicas =
      new HeldLanes(EndpointFunctions.ALLOCATE_REPLICA, EndpointFunctions.FREE_REPLICA);

  private Endpoint(MemorySegment endpoint) {
    this.endpoint = endpoint;
  }

  /**
   * Opens one.
   *
   * @param options a {@link Structs#ENDPOINT_OPTIONS}
   * @throws IOException if it cannot be, with the library's reason
   */
  public static Endpoint open(Struct options) throws IOException {
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment opened = scratch.allocate(ValueLayout.ADDRESS);
      EndpointFunctions.check((int) Calls.call(EndpointFunctions.OPEN, options.memory(), opened));
      return new Endpoint(opened.get(ValueLayout.ADDRESS, 0));
    }
  }

  /** A fabric of this life of the node finds it until it is closed. */
  public void shareAs(long life) {
    SharedEndpoints.opened(life, endpoint);
  }

  /** Where peers reach it. */
  public String address() {
    return String.valueOf(Calls.text(EndpointFunctions.ADDRESS_OF, endpoint));
  }

  /** Which device was chosen and why, what memory is used. */
  public List<String> description() {
    List<String> lines = new ArrayList<>();
    String line = Calls.text(EndpointFunctions.DESCRIBE, endpoint, 0);
    while (line != null) {
      lines.add(line);
      line = Calls.text(EndpointFunctions.DESCRIBE, endpoint, lines.size());
    }
    return lines;
  }

  /** What it has counted, by the members of {@link Structs#COUNTERS}; empty once it is closed. */
  public Map<String, Long> counters() {
    if (!gate.enter()) {
      return Map.of();
    }
    try (Arena scratch = Arena.ofConfined()) {
      Struct counters = Struct.allocate(Structs.COUNTERS, scratch);
      Calls.call(EndpointFunctions.COUNTERS, endpoint, counters.memory());
      return counters.numbers();
    } finally {
      gate.leave();
    }
  }

  // ---------------------------------------------------------------- links

  /** Begins to connect to a node; how that ends is news. */
  public void dial(int peer, String address, long timeoutNs) throws IOException {
    if (!gate.enter()) {
      throw new IOException("the endpoint is closed");
    }
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment text = scratch.allocateFrom(address);
      EndpointFunctions.check(
          (int) Calls.call(EndpointFunctions.DIAL, endpoint, peer, text, timeoutNs));
    } finally {
      gate.leave();
    }
  }

  /** Takes a link down; its end is news. */
  public void closeLink(long link, String reason) {
    if (!gate.enter()) {
      return;
    }
    try (Arena scratch = Arena.ofConfined()) {
      Calls.call(EndpointFunctions.CLOSE_LINK, endpoint, link, scratch.allocateFrom(reason));
    } finally {
      gate.leave();
    }
  }

  /** Takes the oldest piece of news; null if there is none. By whoever does the rounds. */
  public @Nullable News takeNews() {
    if ((int) Calls.call(EndpointFunctions.NEWS, endpoint, news.memory()) != 1) {
      return null;
    }
    return News.of(news);
  }

  // ---------------------------------------------------------------- lanes

  /** Registered memory for an outgoing lane. */
  public LaneMemory allocate(long capacity) throws IOException {
    return allocate(rings, capacity);
  }

  /** Memory for an incoming lane, which its writer can be {@linkplain #grant granted}. */
  public LaneMemory allocateReplica(long capacity) throws IOException {
    return allocate(replicas, capacity);
  }

  private LaneMemory allocate(HeldLanes lanes, long capacity) throws IOException {
    if (!gate.enter()) {
      throw new IOException("the endpoint is closed");
    }
    try {
      return lanes.allocate(endpoint, capacity);
    } finally {
      gate.leave();
    }
  }

  /**
   * Lets whoever knows the key write into an incoming lane's ring, until the next grant or {@link
   * #revoke}.
   *
   * @return null if the memory is not {@linkplain #allocateReplica made for that}
   * @throws IllegalStateException if it was freed
   */
  public @Nullable Grant grant(LaneMemory memory) throws IOException {
    Hold replica = replicas.of(memory);
    if (replica == null || !gate.enter()) {
      return null;
    }
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment address = scratch.allocate(ValueLayout.JAVA_LONG);
      MemorySegment key = scratch.allocate(ValueLayout.JAVA_INT);
      EndpointFunctions.check(
          replica.use(it -> (int) Calls.call(EndpointFunctions.GRANT, endpoint, it, address, key)));
      return new Grant(address.get(ValueLayout.JAVA_LONG, 0), key.get(ValueLayout.JAVA_INT, 0));
    } finally {
      gate.leave();
    }
  }

  /** Nothing is written there any more when this returns. */
  public void revoke(LaneMemory memory) {
    try {
      Hold replica = replicas.of(memory);
      if (replica != null) {
        replica.use(Endpoint::revokeAll);
      }
    } catch (IllegalStateException e) {
      // What is freed, nobody writes to.
    }
  }

  private static int revokeAll(MemorySegment replica) {
    Calls.call(EndpointFunctions.REVOKE, replica);
    return 0;
  }

  /** The far side grants the ring that begins at the address to a lane that is open. */
  public void placeLane(long link, int lane, long address, int key) {
    if (gate.enter()) {
      try {
        Calls.call(EndpointFunctions.PLACE_LANE, endpoint, link, lane, address, key);
      } finally {
        gate.leave();
      }
    }
  }

  /**
   * Sends a lane's published bytes from a position on.
   *
   * @throws IllegalStateException if its memory was freed
   */
  public void openLane(long link, int lane, LaneMemory memory, long from, long boundary)
      throws IOException {
    if (!gate.enter()) {
      return;
    }
    try {
      Hold ring = rings.of(memory);
      if (ring == null) {
        throw new IOException("lane " + lane + " lies in memory that is not this endpoint's");
      }
      EndpointFunctions.check(
          ring.use(
              it ->
                  (int)
                      Calls.call(
                          EndpointFunctions.OPEN_LANE, endpoint, link, lane, it, from, boundary)));
    } finally {
      gate.leave();
    }
  }

  /** The library does not look at the lane's memory any more when this returns. */
  public void closeLane(long link, int lane) {
    if (gate.enter()) {
      try {
        Calls.call(EndpointFunctions.CLOSE_LANE, endpoint, link, lane);
      } finally {
        gate.leave();
      }
    }
  }

  /** Up to where a lane's bytes were handed to the device. Acquire: pairs with the library. */
  public static long posted(LaneMemory memory) {
    return (long) ValueLayout.JAVA_LONG.varHandle().getAcquire(memory.segment(), POSTED_OFFSET);
  }

  /**
   * Posts what is published; returns whether there is more that cannot be posted now: it goes on by
   * itself.
   */
  public boolean pump(long link) {
    if (!gate.enter()) {
      return false;
    }
    try {
      return (int) EndpointFunctions.PUMP.invokeExact(endpoint, link) != 0;
    } catch (Throwable e) {
      throw impossible(e);
    } finally {
      gate.leave();
    }
  }

  /** Puts bytes on the link's control stream; returns how many there was room for. */
  public int write(long link, MemorySegment bytes) {
    if (!gate.enter()) {
      return 0;
    }
    try {
      return (int)
          (long) EndpointFunctions.WRITE.invokeExact(endpoint, link, bytes, bytes.byteSize());
    } catch (Throwable e) {
      throw impossible(e);
    } finally {
      gate.leave();
    }
  }

  // ---------------------------------------------------------------- rounds

  /** One round. The low 32 bits say how many {@link #arrivals} there are; flags above. */
  public long progress() {
    try {
      return (long)
          EndpointFunctions.PROGRESS.invokeExact(endpoint, arrivals.array(), Arrivals.ROOM);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** What the last round brought. */
  public Arrivals arrivals() {
    return arrivals;
  }

  /** What happens from here on ends the next {@link #await}; do one more round in between. */
  public void arm() {
    Calls.call(EndpointFunctions.ARM, endpoint);
  }

  /** Blocks until something happens, {@link #wake} or the time is over. */
  public void await(long timeoutNs) {
    try {
      EndpointFunctions.WAIT.invokeExact(endpoint, timeoutNs);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Ends an {@link #await} that is going on or about to begin. Any thread. */
  public void wake() {
    if (gate.enter()) {
      try {
        Calls.call(EndpointFunctions.WAKE, endpoint);
      } finally {
        gate.leave();
      }
    }
  }

  /**
   * Closes every link and waits for their ends, a second or so at most. A fabric that shares it is
   * closed before. Idempotent.
   */
  @Override
  public void close() {
    if (gate.close()) {
      SharedEndpoints.closed(endpoint);
      Calls.call(EndpointFunctions.CLOSE, endpoint);
      arena.close();
    }
  }

  private static RuntimeException impossible(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException r ? r : new IllegalStateException("a C function threw", e);
  }
}
