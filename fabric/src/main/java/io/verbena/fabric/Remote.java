// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.Calls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Memory of a peer, as a key names it: made once, used often. Any thread. Closing it does not
 * disturb operations under way.
 */
public final class Remote implements AutoCloseable {

  private final RegionKey key;
  private final Handle handle;

  private Remote(RegionKey key, Handle handle) {
    this.key = key;
    this.handle = handle;
  }

  /** What a key names. Whether the key works is known when it is used. */
  public static Remote of(RegionKey key) {
    return new Remote(
        key, Handle.make("the remote of " + key, Functions.FREE_REMOTE, at -> open(key, at)));
  }

  private static Object open(RegionKey key, MemorySegment place) {
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment bytes = scratch.allocateFrom(ValueLayout.JAVA_BYTE, key.toBytes());
      return Calls.call(Functions.OPEN_REMOTE, bytes, bytes.byteSize(), place);
    }
  }

  Handle handle() {
    return handle;
  }

  /** What it was made of. */
  public RegionKey key() {
    return key;
  }

  /** The node whose memory it is. */
  public int owner() {
    return key.owner();
  }

  /** How many bytes there are. */
  public long length() {
    return key.length();
  }

  /** Idempotent. */
  @Override
  public void close() {
    handle.free();
  }

  @Override
  public String toString() {
    return "Remote[" + key + "]";
  }
}
