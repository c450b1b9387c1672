// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.Calls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Memory that operations work on: at their own end as it is, at the far end as far as keys of it
 * have been shared. Any thread. It stays when its {@link Fabric} is closed, and is closed on its
 * own.
 */
public final class Region implements AutoCloseable {

  /** A region that nobody closes stays: devices would go on in memory that was collected. */
  private static final Set<Region> OPEN = ConcurrentHashMap.newKeySet();

  private final Handle handle;
  private final Arena lifetime = Arena.ofShared();
  private final MemorySegment memory;
  private final MemorySegment registered; // kept with the region; NULL for memory of its own

  private Region(Handle handle, long bytes, MemorySegment registered) {
    this.handle = handle;
    this.registered = registered;
    MemorySegment start = (MemorySegment) handle.use(it -> Calls.call(Functions.MEMORY, it));
    this.memory = start.reinterpret(bytes, lifetime, null);
    OPEN.add(this);
  }

  static Region allocate(MemorySegment fabric, long bytes) {
    Limits.atLeast("the size of a region", bytes, 1);
    Handle made =
        Handle.make(
            "the region of " + bytes + " bytes",
            Functions.FREE_REGION,
            at -> Calls.call(Functions.ALLOCATE, fabric, bytes, at));
    return new Region(made, bytes, MemorySegment.NULL);
  }

  static Region register(MemorySegment fabric, MemorySegment memory) {
    if (!memory.isNative() || memory.isReadOnly()) {
      throw new IllegalArgumentException("memory that is native and writable is needed: " + memory);
    }
    Handle made =
        Handle.make(
            "the region of " + memory.byteSize() + " bytes",
            Functions.FREE_REGION,
            at -> Calls.call(Functions.REGISTER, fabric, memory, memory.byteSize(), at));
    return new Region(made, memory.byteSize(), memory);
  }

  Handle handle() {
    return handle;
  }

  /**
   * Its bytes. An access after {@link #close} throws {@link IllegalStateException}; so does one
   * that another thread's close meets in the middle.
   */
  public MemorySegment memory() {
    return memory;
  }

  /** How many bytes it has. */
  public long length() {
    return memory.byteSize();
  }

  /**
   * Lets others operate on a part of it, until that is revoked. The key reaches these bytes and no
   * others.
   *
   * @throws FabricException if these bytes cannot be shared, with the reason
   * @throws ClosedException if the region is closed
   */
  public RegionKey share(long offset, long length, Access... access) {
    Limits.atLeast("the offset of a share", offset, 0);
    Limits.atLeast("the length of a share", length, 1);
    return handle.use(it -> share(it, offset, length, Access.sum(access)));
  }

  private static RegionKey share(MemorySegment region, long offset, long length, int access) {
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment key = scratch.allocate(RegionKey.BYTES);
      Functions.check((int) Calls.call(Functions.SHARE, region, offset, length, access, key));
      return RegionKey.of(key.toArray(ValueLayout.JAVA_BYTE));
    }
  }

  /**
   * Takes a key back. When this returns, nothing is read or written through it any more, also by a
   * peer that was stopped in the middle, for which it waits up to a second.
   *
   * @throws FabricException if it is no key of this region, or a peer may still be at work: call it
   *     again
   * @throws ClosedException if the region is closed: its keys are dead then
   */
  public void revoke(RegionKey key) {
    handle.use(it -> revoke(it, key));
  }

  private static Object revoke(MemorySegment region, RegionKey key) {
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment bytes = scratch.allocateFrom(ValueLayout.JAVA_BYTE, key.toBytes());
      Functions.check((int) Calls.call(Functions.REVOKE, region, bytes));
      return key;
    }
  }

  /**
   * Its keys are dead when this returns, and memory of its own is gone. An operation under way that
   * uses it fails, and its link with it. Idempotent.
   *
   * @throws IllegalStateException if a system call is at work in its memory, as of {@link
   *     Arena#close}; nothing was closed then
   */
  @Override
  public void close() {
    synchronized (lifetime) {
      if (lifetime.scope().isAlive()) {
        lifetime.close();
      }
    }
    handle.free();
    OPEN.remove(this);
  }

  @Override
  public String toString() {
    String whose = registered.equals(MemorySegment.NULL) ? "" : ", registered";
    return "Region[" + length() + " bytes" + whose + (handle.isClosed() ? ", closed]" : "]");
  }
}
