// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How a node's fabric and its transport over verbs come to share one endpoint, though neither knows
 * the other: both know which life of the node they are of, a random number. Any thread.
 *
 * <p>The fabric wishes for room; the transport, if it is opened then, makes it and says where the
 * endpoint is; the fabric takes it, and is closed before the transport closes.
 */
public final class SharedEndpoints {

  private static final Map<Long, Struct> WISHES = new ConcurrentHashMap<>();
  private static final Map<Long, MemorySegment> OPEN = new ConcurrentHashMap<>();

  private SharedEndpoints() {}

  /**
   * Whoever opens an endpoint for this life makes room for a fabric.
   *
   * @param options a {@link FabricStructs#OPTIONS} that stays as it is until {@link #forget}
   */
  public static void wish(long life, Struct options) {
    WISHES.put(life, options);
  }

  /** What was wished for; null if nothing. */
  public static @Nullable Struct wishOf(long life) {
    return WISHES.get(life);
  }

  /** There is one, which has room if that was wished for before it was opened. */
  public static void opened(long life, MemorySegment endpoint) {
    if (WISHES.containsKey(life)) {
      OPEN.put(life, endpoint);
    }
  }

  /** The endpoint of a life that has room for a fabric; null if there is none. */
  public static @Nullable MemorySegment of(long life) {
    return OPEN.get(life);
  }

  /** It is about to close. */
  public static void closed(MemorySegment endpoint) {
    OPEN.values().remove(endpoint);
  }

  /** Nobody wishes for anything any more. */
  public static void forget(long life) {
    WISHES.remove(life);
  }
}
